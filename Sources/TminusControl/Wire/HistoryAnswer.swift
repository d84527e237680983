package import TminusCore

/// The outcome of one action of an occurrence, or a control that a user applied.
package struct HistoryAnswer: Codable, Sendable, Hashable {
    /// The definition's id; nil for a control of all definitions, and where the request names the definition.
    package var definition: String?
    /// The instant of the occurrence, in RFC 3339; the last one if the entry stands for several. Of a control, its instant.
    package var occurrence: String
    /// The action, such as `expiry` or `before:P1D`; of a control `control:` and its name.
    package var action: String
    /// The instant the action was due, in RFC 3339.
    package var due: String
    /// The outcome: `open`, `delivered`, `failed`, `missed` or `skipped`; of a control `applied`.
    package var end: String
    /// The instant of delivery, in RFC 3339.
    package var at: String?
    /// The code of the reason if it failed or was missed or skipped: ``ReasonCode``.
    package var reason: String?
    /// The reason in words.
    package var message: String?
    /// The number of occurrences this entry stands for.
    package var count: Int
    /// The name of the user who applied a control.
    package var by: String?
    /// The user's reason for a control.
    package var note: String?

    /// Whether it is a control.
    package var isControl: Bool { end == Self.applied }

    /// Merges entries, newest first, with controls, so that the newest instants come first. Entries keep their order.
    package static func merged(_ entries: [HistoryAnswer], _ controls: [ControlRecord]) -> [HistoryAnswer] {
        var merged: [HistoryAnswer] = []
        var left = controls.sorted { $0.at > $1.at }[...]
        for entry in entries {
            let due = Timestamp(rfc3339: entry.due) ?? .distantPast
            while let control = left.first, control.at >= due {
                merged.append(HistoryAnswer(control))
                left.removeFirst()
            }
            merged.append(entry)
        }
        return merged + left.map { HistoryAnswer($0) }
    }

    private static let applied = "applied"

    /// Creates the answer for a control.
    package init(_ record: ControlRecord) {
        definition = record.definition?.rawValue
        (occurrence, due, at) = (record.at.rfc3339, record.at.rfc3339, record.at.rfc3339)
        action = "control:\(record.control)"
        end = Self.applied
        count = 1
        (by, note) = (record.by, record.note)
    }

    /// Creates the answer for an entry of the history of all definitions.
    package init(_ recent: RecentEntry) {
        self.init(recent.entry)
        definition = recent.definition.rawValue
    }

    /// Creates the answer for an entry of the history.
    package init(_ entry: HistoryEntry) {
        occurrence = entry.occurrence.rfc3339
        action = entry.action
        due = entry.due.rfc3339
        count = entry.count
        switch entry.end {
        case .open: end = "open"
        case .delivered(let instant):
            end = "delivered"
            at = instant.rfc3339
        case .failed(let why):
            end = "failed"
            (reason, message) = (ReasonCode(why).rawValue, why)
        case .missed(let why):
            end = "missed"
            (reason, message) = (why.rawValue, why.words)
        case .skipped(let why):
            end = "skipped"
            (reason, message) = (ReasonCode(why).rawValue, why)
        }
    }
}

/// A delivery and its latest attempts.
package struct DeliveryAnswer: Codable, Sendable, Hashable {
    /// An attempt at a delivery.
    package struct Attempt: Codable, Sendable, Hashable {
        /// The number of the attempt, from 1.
        package var number: Int
        /// The start of the attempt, in RFC 3339.
        package var started: String
        /// The end of the attempt, in RFC 3339.
        package var ended: String
        /// The outcome: `delivered`, `retry`, `dead`, `expired`, `skipped` or `interrupted`.
        package var outcome: String
        /// The code of the reason, unless it was delivered: ``ReasonCode``.
        package var reason: String?
        /// The reason in words.
        package var message: String?
        /// The host and the process that made it, if machines share the store.
        package var machine: String?
        /// The command's exit status.
        package var exitStatus: Int?
        /// The HTTP status code.
        package var httpStatus: Int?
        /// The command's standard output.
        package var output: String?
        /// The command's standard error.
        package var errors: String?
        /// The HTTP response body.
        package var body: String?
        /// The end at which the output is truncated.
        package var outputCut: Cut?
        /// The end at which the standard error is truncated.
        package var errorsCut: Cut?
        /// The end at which the body is truncated.
        package var bodyCut: Cut?

        /// The end at which a text is truncated to the size that is kept.
        package enum Cut: String, Codable, Sendable, Hashable {
            /// The beginning is missing.
            case start
            /// The end is missing.
            case end
        }

        enum CodingKeys: String, CodingKey {
            case number, started, ended, outcome, reason, message, machine, output, errors, body
            case outputCut = "output-cut"
            case errorsCut = "errors-cut"
            case bodyCut = "body-cut"
            case exitStatus = "exit-status"
            case httpStatus = "http-status"
        }
    }

    /// The delivery's id, which the sink receives too.
    package var id: String
    /// The definition's id.
    package var definition: String
    /// The occurrence's instant, in RFC 3339.
    package var occurrence: String
    /// The action, such as `expiry` or `before:P1D`.
    package var action: String
    /// The sink's name.
    package var sink: String
    /// The title of the sink: its name, or its kind, target and place in the files.
    package var sinkTitle: String
    /// The instant the action was due, in RFC 3339.
    package var due: String
    /// The state: `queued`, `pending`, `claimed`, `delivered`, `dead`, `expired`, `skipped` or `discarded`.
    package var state: String
    /// The number of attempts begun.
    package var attempts: Int
    /// The earliest instant of the next attempt, in RFC 3339; nil once it has a final state.
    package var nextAttempt: String?
    /// The instant it reached its final state, in RFC 3339.
    package var settled: String?
    /// The code of the reason for the state: ``ReasonCode``.
    package var reason: String?
    /// The reason in words.
    package var message: String?
    /// True if it waits for its sink, which no file declares at present; otherwise nil.
    package var waitsForSink: Bool?
    /// The latest attempts, oldest first.
    package var log: [Attempt]

    enum CodingKeys: String, CodingKey {
        case id, definition, occurrence, action, sink, due, state, attempts, settled, reason, message, log
        case sinkTitle = "sink-title"
        case nextAttempt = "next-attempt"
        case waitsForSink = "waits-for-sink"
    }

    /// Creates the answer for a delivery in the store.
    package init(_ record: DeliveryRecord) {
        id = record.id.rawValue
        definition = record.definition.rawValue
        occurrence = record.occurrence.rfc3339
        action = record.action
        sink = record.sink.rawValue
        sinkTitle = record.sinkTitle
        due = record.due.rfc3339
        state = record.state.rawValue
        attempts = record.attempts
        nextAttempt = record.nextAttempt?.rfc3339
        settled = record.settled?.rfc3339
        (reason, message) = (record.reason.map { ReasonCode($0).rawValue }, record.reason)
        waitsForSink = record.waitsForSink ? true : nil
        log = record.log.map { attempt in
            Attempt(
                number: attempt.number, started: attempt.started.rfc3339, ended: attempt.ended.rfc3339,
                outcome: attempt.outcome.rawValue, reason: attempt.reason.map { ReasonCode($0).rawValue },
                message: attempt.reason, machine: attempt.report.machine, exitStatus: attempt.report.exitStatus,
                httpStatus: attempt.report.httpStatus,
                output: attempt.report.output?.text,
                errors: attempt.report.errors?.text, body: attempt.report.body?.text,
                outputCut: attempt.report.output?.cut, errorsCut: attempt.report.errors?.cut,
                bodyCut: attempt.report.body?.cut)
        }
    }
}

extension DeliveryReport.Excerpt {
    fileprivate var cut: DeliveryAnswer.Attempt.Cut? { isCutAtStart ? .start : isCutAtEnd ? .end : nil }
}

/// The number of deliveries that a request changed.
package struct CountAnswer: Codable, Sendable, Hashable {
    /// The number of deliveries.
    package var count: Int

    /// Creates an answer.
    package init(count: Int) {
        self.count = count
    }
}
