internal import TminusControl
internal import TminusCore

extension Control {
    /// How many characters a note may have. Each viewer gets it with the item.
    private static let longestNote = 1_000

    /// Creates a control from its name and arguments. Throws on an invalid argument or one that the control does not
    /// take.
    init(_ verb: Verb, _ body: ControlBody, now: Timestamp) throws(Problem) {
        if body.add != nil, verb != .start { throw Problem(.badRequest, "'add': only start takes it") }
        if body.length != nil, verb != .snooze, verb != .mute {
            throw Problem(.badRequest, "'for': only snooze and mute take it")
        }
        if let note = body.note, note.count > Self.longestNote {
            throw Problem(.badRequest, "'note': at most \(Self.longestNote) characters")
        }
        if body.until != nil, verb != .mute { throw Problem(.badRequest, "'until': only mute takes it") }
        switch verb {
        case .start:
            self = .start(adding: try body.add.map { text throws(Problem) in try Self.length(text, of: "add") })
        case .pause: self = .pause
        case .resume: self = .resume
        case .stop: self = .stop
        case .reset: self = .reset
        case .lap: self = .lap
        case .snooze:
            let length = try body.length.map { text throws(Problem) in try Self.length(text, of: "for") }
            self = .snooze(for: length ?? Control.standardSnooze)
        case .skip: self = .skip
        case .mute: self = .mute(until: try Self.end(of: body, now))
        case .unmute: self = .unmute
        }
    }

    private static func length(_ text: String, of member: String) throws(Problem) -> Duration {
        switch CalendarSpan.parseExactDuration(text) {
        case .success(let length) where length > .zero: return length
        case .success: throw Problem(.badRequest, "'\(member)': must be longer than zero")
        case .failure(let problem): throw Problem(.badRequest, "'\(member)': \(problem.message)")
        }
    }

    private static func end(of body: ControlBody, _ now: Timestamp) throws(Problem) -> Timestamp {
        switch (body.until, body.length) {
        case (let until?, nil):
            guard let instant = Timestamp(rfc3339: until) else {
                throw Problem(.badRequest, "'until': expected an instant such as 2026-12-01T09:00:00Z")
            }
            if case .failure(let problem) = DateTimeText.parse(until) {
                throw Problem(.badRequest, "'until': \(problem.message)")
            }
            guard instant > now else { throw Problem(.unfit, "'until': \(until) is in the past", fitting: []) }
            return instant
        case (nil, let text?): return now.advanced(by: try length(text, of: "for"))
        case (nil, nil): throw Problem(.badRequest, "mute needs an end: give 'until' or 'for'")
        case (_?, _?): throw Problem(.badRequest, "give 'until' or 'for', not both")
        }
    }
}
