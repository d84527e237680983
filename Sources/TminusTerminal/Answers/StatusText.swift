package import TminusControl
internal import TminusCore

/// The text of `tminus status`.
package enum StatusText {
    /// One line: `generation 3, 12 definitions, all in force`.
    package static func line(_ live: LiveAnswer) -> String { line(live, more: ": see 'tminus status'") }

    private static func line(_ live: LiveAnswer, more: String) -> String {
        let count = live.definitions == 1 ? "1 definition" : "\(live.definitions) definitions"
        let order = live.isInOrder ? "all in force" : "not everything in the directory is in force\(more)"
        return "generation \(live.generation), \(count), \(order)"
    }

    /// Renders the whole status. Lists only files with problems and counts the others.
    package static func render(_ status: StatusAnswer) -> String {
        var rows = [
            ("tminus", "\(status.version), process \(status.processID), since \(status.started)"),
            ("live", line(status.live, more: ", see below")), ("hash", status.live.hash ?? "-"),
            ("config", status.config),
            ("store", status.store), ("watching", status.watching), ("zone data", status.zoneData ?? "-"),
            ("clock", status.now), ("last read", status.lastAttempt ?? "-"),
            ("last success", status.lastSuccess ?? "-"), ("viewers", String(status.viewers)),
        ]
        if let mute = status.mute {
            let note = mute.note.map { ": \($0)" } ?? ""
            rows.append(("muted", "everything, until \(mute.until), by \(mute.by) at \(mute.at)\(note)"))
        }
        rows += status.storeProblems.map { ("problem", $0) }
        if status.damagedRows > 0 {
            let rowsText = status.damagedRows == 1 ? "1 row" : "\(status.damagedRows) rows"
            rows.append(("damaged", "\(rowsText) of the store could not be read and are kept in its table 'damaged'"))
        }
        rows += status.problems.map { ("problem", $0) }
        let width = rows.map(\.0.count).max() ?? 0
        var lines = rows.map { "\(Fitting.pad($0.0, to: width))  \($0.1)" }
        let odd = status.files.filter { $0.state != "ok" }
        lines.append("\(Fitting.pad("files", to: width))  \(status.files.count - odd.count) ok")
        for file in odd {
            let place = file.place.map { ":\($0)" } ?? ""
            let more = file.errors > 1 ? " (and \(file.errors - 1) more)" : ""
            lines.append("  \(file.state): \(file.path)\(place)" + (file.reason.map { ": \($0)\(more)" } ?? ""))
        }
        return lines.map { SafeText.line($0) + "\n" }.joined()
    }
}
