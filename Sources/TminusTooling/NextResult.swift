package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// The result of `tminus next`: the upcoming occurrences of definitions, or of a rule from the command line.
package struct NextResult: Sendable {
    /// All problems, by place.
    package let diagnostics: [Diagnostic]
    /// Messages about unknown ids, with suggestions.
    package let unknown: [String]
    /// Whether a part of the answer is missing.
    package let hasErrors: Bool
    /// The occurrences of each definition or rule.
    let previews: [SchedulePreview]

    /// The upcoming occurrences of definitions.
    ///
    /// - Parameters:
    ///   - names: Existing paths of files and directories, and ids of definitions in `config`. If empty, all of
    ///     `config`.
    ///   - config: The directory; nil for that of `tminus run`.
    ///   - from: The instant to start at, in the form of `at`; nil for now.
    /// - Throws: ``ToolError`` if there is no such directory, or `from` is no date.
    package static func ofDefinitions(
        _ names: [String], config: String?, from: String?, limit: Int, allowsInsecurePermissions: Bool = false,
        sinks: [any Sink.Type]
    ) throws(ToolError) -> NextResult {
        let zones = SystemZoneDatabase()
        let now = try Self.instant(from, in: zones.systemZone) ?? TimerFDClock.now
        let paths = names.filter { Permissions.exists($0) || $0.contains("/") }
        let ids = names.filter { !paths.contains($0) }
        var directory: [String] = []
        if !ids.isEmpty || paths.isEmpty {
            if let config { directory = [config] } else { directory = [try ConfigDirectory.standard()] }
        }
        func load(_ paths: [String]) throws(ToolError) -> [LoadResult] {
            try DefinitionFiles.load(
                paths, allowsInsecurePermissions: allowsInsecurePermissions, now: now, zones: zones, sinks: sinks)
        }
        let results = try load(directory)
        let others = try load(paths)

        // A directory that is read only to find ids is not shown as a whole.
        var found = names.isEmpty ? definitions(of: results) : []
        var unknown: [String] = []
        let known = definitions(of: results)
        for id in ids {
            if let definition = known.first(where: { $0.id.rawValue == id }) {
                found.append(definition)
            } else {
                let hint = Suggestion.phrase(for: id, in: known.map(\.id.rawValue))
                unknown.append("there is no definition '\(id)' in \(directory[0])\(hint)")
            }
        }
        found += definitions(of: others)
        let asked = (names.isEmpty ? results : []) + others
        let problems = results.flatMap(\.diagnostics)
        return NextResult(
            diagnostics: (ids.isEmpty ? problems : Self.about(ids, problems, known)) + others.flatMap(\.diagnostics),
            unknown: unknown,
            hasErrors: !unknown.isEmpty || asked.contains { !$0.isClean },
            previews: found.map { SchedulePreview($0, after: now, limit: limit) })
    }

    /// The upcoming occurrences of a rule. The options are the keys of a question, without dashes.
    package static func ofRule(_ options: [(name: String, value: String)], limit: Int) -> NextResult {
        let zones = SystemZoneDatabase()
        let now = TimerFDClock.now
        let (question, diagnostics) = QuestionOptions.read(options, zones: zones, now: now)
        guard let question, case .trigger(let trigger) = question.subject else {
            return NextResult(diagnostics: diagnostics, unknown: [], hasErrors: true, previews: [])
        }
        let preview = SchedulePreview(
            trigger, leads: question.leads, in: question.zone, after: question.start(now: now), limit: limit,
            now: question.from ?? now)
        return NextResult(diagnostics: diagnostics, unknown: [], hasErrors: false, previews: [preview])
    }

    /// The occurrences as text for users.
    package var text: String { PreviewText.render(previews) }

    /// The occurrences as a JSON array.
    package var json: String { PreviewJSON.render(previews) }

    private static func definitions(of results: [LoadResult]) -> [Definition] {
        results.flatMap { $0.set.definitions.values.sorted { $0.origin < $1.origin } }
    }

    /// All errors, and the warnings inside these definitions. A definition ends where the next one in its file begins.
    private static func about(_ ids: [String], _ diagnostics: [Diagnostic], _ known: [Definition]) -> [Diagnostic] {
        diagnostics.filter { diagnostic in
            if diagnostic.severity == .error { return true }
            let place = diagnostic.location
            let owner = known.filter { $0.origin.file == place.file && $0.origin <= place }
                .max { $0.origin < $1.origin }
            return owner.map { ids.contains($0.id.rawValue) } ?? false
        }
    }

    private static func instant(_ text: String?, in zone: Zone) throws(ToolError) -> Timestamp? {
        guard let text else { return nil }
        switch DateTimeText.parse(text) {
        case .success(.instant(let instant)): return instant
        case .success(.local(let local)): return zone.instant(of: local)
        case .failure(let problem): throw ToolError(.usage, "--from: \(problem.message)")
        }
    }
}

/// Answers questions about rules, one line of JSON each.
package struct NextBatch {
    private var lines = QuestionLines(zones: SystemZoneDatabase())

    /// The longest line that is read, in bytes without the line end.
    package static let longestLine = QuestionLines.longestLine

    /// A batch that uses the zones of the machine.
    package init() {}

    /// The answer to a line, without a line end; nil for a blank line.
    package mutating func answer(_ line: [UInt8]) -> [UInt8]? { lines.answer(line, now: TimerFDClock.now) }

    /// The answer to a line that is longer than ``longestLine``.
    package static let tooLong = QuestionLines.tooLong
}
