internal import TminusCore
internal import TminusTooling

/// The report on a definition that was added.
struct AddedDefinition {
    private let place: ConfigFiles.Place
    private let warnings: [Diagnostic]
    /// The next occurrence of an event.
    private let due: Timestamp?
    /// The due time or duration in words, so the user can check how the input was understood.
    private let understood: String?

    /// Creates the report; `now` decides which occurrence is next.
    init(_ outcome: ConfigFiles.Outcome, now: Timestamp) {
        place = outcome.place
        warnings = outcome.warnings
        due = outcome.due(now: now)
        understood = outcome.understood(now: now)
    }

    /// Writes the report to standard output as text or JSON, and warnings to standard error.
    func write(json: Bool) throws {
        StandardError.shared.write(DiagnosticFormat.text.render(warnings))
        guard json else {
            let line = "added \(place.kind.rawValue) '\(place.id)' in \(place.file):\(place.line)"
            return try StandardOutput.write([line, understood].compactMap { $0 }.joined(separator: ": ") + "\n")
        }
        var writer = JSONWriter()
        writer.object { object in
            object.member("action", "added")
            object.member("id", place.id)
            object.member("kind", place.kind.rawValue)
            object.member("file", place.file)
            object.member("line", place.line)
            if let due { object.member("due", due.rfc3339) }
            if let understood { object.member("understood", understood) }
        }
        try StandardOutput.write(writer.bytes + [UInt8(ascii: "\n")])
    }
}
