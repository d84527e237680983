package import TminusControl
package import TminusCore

/// The text of `tminus status`.
package enum StatusText {
    /// What needs a person, one line each, or that all is well.
    package static func attention(_ status: StatusAnswer) -> String {
        if status.attention.isEmpty { return "all well\n" }
        return status.attention.map { SafeText.line($0.message) + "\n" }.joined()
    }

    /// The most definitions with undelivered deliveries that are listed.
    private static let shownDefinitions = 20

    /// The most problems that are listed of one file, and the most warnings of all.
    private static let shownProblems = 20

    private static func words(_ deliveries: StatusDeliveries, _ zone: Zone) -> String {
        var words = ["\(deliveries.waiting) waiting", "\(deliveries.running) running"]
        let next = deliveries.nextAttempt.map { ", next attempt \(HistoryText.local($0, zone))" } ?? ""
        words.append("\(deliveries.retrying) retrying\(next)")
        let oldest = deliveries.oldestDead.map { ", oldest \(HistoryText.local($0, zone))" } ?? ""
        words.append("\(deliveries.dead) dead\(oldest)")
        return words.joined(separator: ", ")
    }

    private static func words(_ sink: StatusDeliveries.Sink, _ zone: Zone) -> String {
        var words: [String] = []
        if sink.waitsForSink == true { words.append("no file declares it") }
        if sink.waiting > 0 { words.append("\(sink.waiting) waiting") }
        if sink.running > 0 { words.append("\(sink.running) running") }
        words += self.words(retrying: sink.retrying, sink.nextAttempt, dead: sink.dead, sink.oldestDead, zone)
        return words.joined(separator: ", ")
    }

    private static func words(_ definition: StatusDefinition, _ zone: Zone) -> String {
        var words = words(
            retrying: definition.retrying, definition.nextAttempt, dead: definition.dead, definition.oldestDead, zone)
        if let last = definition.lastOutcome {
            let reason = last.message.map { ", because \($0)" } ?? ""
            words.append("last outcome \(last.end)\(reason)")
        }
        return words.joined(separator: ", ")
    }

    private static func words(
        retrying: Int, _ next: String?, dead: Int, _ oldest: String?, _ zone: Zone
    ) -> [String] {
        let next = next.map { ", next attempt \(HistoryText.local($0, zone))" } ?? ""
        let oldest = oldest.map { ", oldest \(HistoryText.local($0, zone))" } ?? ""
        var words: [String] = []
        if retrying > 0 { words.append("\(retrying) retrying\(next)") }
        if dead > 0 { words.append("\(dead) dead\(oldest)") }
        return words
    }

    /// The lines of a file that is not in order: its state, and each of its problems.
    private static func lines(_ file: StatusAnswer.File) -> [String] {
        let errors = file.diagnostics.filter { $0.severity == "error" }
        guard errors.count > 1 else {
            let place = file.place.map { ":\($0.text)" } ?? ""
            let more = file.errors > 1 ? " (and \(file.errors - 1) more)" : ""
            return ["  \(file.state): \(file.path)\(place)" + (file.message.map { ": \($0)\(more)" } ?? "")]
        }
        var lines = errors.prefix(shownProblems).map { "  \(file.state): \(place(of: $0, in: file)): \($0.message)" }
        if file.errors > lines.count {
            lines.append("  \(file.state): \(file.path): and \(file.errors - lines.count) more; see 'tminus check'")
        }
        return lines
    }

    /// The warnings of all files: for one, of what a sink needs and the daemon does not have.
    private static func warnings(_ files: [StatusAnswer.File]) -> [String] {
        let all = files.flatMap { file in
            file.diagnostics.filter { $0.severity == "warning" }.map {
                "  warning: \(place(of: $0, in: file)): \($0.message)"
            }
        }
        let more = all.count - shownProblems
        return all.prefix(shownProblems) + (more > 0 ? ["  and \(more) more warnings; see 'tminus status --json'"] : [])
    }

    private static func place(of problem: StatusAnswer.File.Diagnostic, in file: StatusAnswer.File) -> String {
        file.path + [problem.line, problem.column].compactMap { $0.map { ":\($0)" } }.joined()
    }

    private static func words(_ follower: StatusAnswer.Follower, _ zone: Zone) -> String {
        let since = follower.started.map { ", since \(HistoryText.local($0, zone))" } ?? ""
        let labels = follower.labels.isEmpty ? "" : ": \(follower.labels.joined(separator: ", "))"
        return "\(follower.process)\(follower.version.map { ", \($0)" } ?? "")\(since)\(labels)"
    }

    /// Renders the whole status, with local times. Lists only files with problems and counts the others.
    package static func render(_ status: StatusAnswer, zone: Zone) -> String {
        func local(_ instant: String) -> String { HistoryText.local(instant, zone) }
        var rows = [
            (
                "tminus",
                "\(status.version), process \(status.processID.map { "\($0)" } ?? "-"), since \(local(status.started))"
            ),
            ("live", status.live.line(more: ", see below")), ("hash", status.live.hash ?? "-"),
            ("config", status.config ?? "-"),
            ("store", status.store ?? "-"), ("watching", status.watching.text), ("zone data", status.zoneData ?? "-"),
            ("clock", local(status.now)),
            ("last read", status.lastAttempt.map(local) ?? "-"),
            ("last success", status.lastSuccess.map(local) ?? "-"), ("viewers", String(status.viewers)),
        ]
        for url in status.listening ?? [] { rows.append(("http", url)) }
        if let labels = status.labels, labels.contains(where: { !$0.hasPrefix("host=") }) {
            rows.append(("labels", labels.joined(separator: ", ")))
        }
        for follower in status.followers ?? [] { rows.append(("follower", words(follower, zone))) }
        if let profile = status.profile { rows.append(("profile", profile)) }
        if let mute = status.mute {
            let note = mute.note.map { ": \($0)" } ?? ""
            let (until, at) = (local(mute.until), local(mute.at))
            rows.append(("muted", "everything, until \(until), by \(mute.by) at \(at)\(note)"))
        }
        rows += status.storeProblems.map { ("problem", $0) }
        if status.damagedRows > 0 {
            let rowsText = status.damagedRows == 1 ? "1 row" : "\(status.damagedRows) rows"
            rows.append(("damaged", "\(rowsText) of the store could not be read and are kept in its table 'damaged'"))
        }
        rows += status.problems.map { ("problem", $0) }
        rows += status.attention.filter { [.unplacedSink, .otherFiles].contains($0.reason) }
            .map { ("problem", $0.message) }
        if let deliveries = status.deliveries { rows.append(("deliveries", words(deliveries, zone))) }
        let width = rows.map(\.0.count).max() ?? 0
        var lines = rows.map { "\(Fitting.pad($0.0, to: width))  \($0.1)" }
        let odd = status.files.filter { $0.state != "ok" }
        lines.append("\(Fitting.pad("files", to: width))  \(status.files.count - odd.count) ok")
        lines += odd.flatMap(Self.lines) + warnings(status.files)
        lines += (status.deliveries?.sinks ?? []).map { "  sink \($0.title): \(words($0, zone))" }
        let troubled = status.definitions.filter { $0.dead > 0 || $0.retrying > 0 }
        lines += troubled.prefix(shownDefinitions).map { "  \($0.id): \(words($0, zone))" }
        if troubled.count > shownDefinitions {
            lines.append("  and \(troubled.count - shownDefinitions) more definitions; see 'tminus list'")
        }
        return lines.map { SafeText.line($0) + "\n" }.joined()
    }
}
