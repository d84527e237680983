package import TminusCore

/// Renders upcoming occurrences for people.
package enum PreviewText {
    /// One paragraph per definition or rule: its name, the rule in its normal form, and one line per instant with local
    /// time, UTC, the distance in words and a description.
    package static func render(_ previews: [SchedulePreview]) -> String {
        previews.map(render).joined(separator: "\n")
    }

    private static func render(_ preview: SchedulePreview) -> String {
        var rows: [Row] = []
        var leftOut = preview.leftOut[...]
        for (index, occurrence) in preview.occurrences.enumerated() {
            let shown = preview.zone.local(occurrence.instant)
            while let change = leftOut.first, change.clock < shown {
                rows.append(row(change))
                leftOut.removeFirst()
            }
            let isLast = preview.isComplete && index == preview.occurrences.count - 1 && index > 0
            let elapsed = occurrence.elapsed.map { "at \(CalendarSpan(nanoseconds: $0.nanoseconds).text)" }
            let label = occurrence.isPast ? "past" : isLast ? "the last" : ""
            rows.append(.instant(occurrence.instant, indent: 2, elapsed ?? label))
            if let change = occurrence.clockChange { rows.append(.text("    \(change.text)")) }
            if occurrence.expiry != occurrence.instant {
                rows.append(.instant(occurrence.expiry, indent: 4, "with its jitter"))
            }
            for lead in occurrence.leads {
                let past = !lead.isPast ? "" : preview.definition == nil ? ", past" : ", past: not sent"
                rows.append(.instant(lead.due, indent: 4, "\(lead.lead.text) \(lead.side.rawValue)\(past)"))
            }
        }
        rows += leftOut.map(row)
        var lines = header(preview)
        if preview.occurrences.isEmpty {
            let isStopwatch = preview.definition?.kind == .stopwatch
            lines.append(
                isStopwatch ? "  it sends nothing" : "  nothing after \(local(preview.from, in: preview.zone))")
        }
        lines += aligned(rows, preview)
        return lines.map { VisibleText.escaped($0) + "\n" }.joined()
    }

    private static func row(_ change: ClockChange) -> Row {
        .text("  \(change.clock.weekdayName) \(change.clock.dateText): \(change.text)")
    }

    /// A line of the table.
    private enum Row {
        case text(String)
        case instant(Timestamp, indent: Int, String)
    }

    private static func header(_ preview: SchedulePreview) -> [String] {
        var lines: [String] = []
        if let definition = preview.definition {
            let name = definition.name == definition.id.rawValue ? "" : ": \(definition.name)"
            let place = "\(definition.origin.file):\(definition.origin.line)"
            lines.append(
                "\(definition.id)\(name) (\(place))\(definition.isEnabled ? "" : ", disabled: nothing is sent")")
        }
        let rule = preview.rule
        let words = [rule.value] + rule.bounds + [preview.zone.name]
        lines.append("  \(rule.key): \(words.joined(separator: ", "))")
        if let note = preview.note { lines.append("  \(note)") }
        return lines
    }

    private static func aligned(_ rows: [Row], _ preview: SchedulePreview) -> [String] {
        let cells = rows.map { row -> [String] in
            switch row {
            case .text(let text): return [text]
            case .instant(let instant, let indent, let label):
                return [
                    String(repeating: " ", count: indent) + local(instant, in: preview.zone), instant.shortRFC3339,
                    distance(to: instant, from: preview.from), label,
                ]
            }
        }
        let widths = (0..<3).map { column in
            cells.filter { $0.count > 1 }.map { $0[column].unicodeScalars.count }.max() ?? 0
        }
        return cells.map { cells in
            guard cells.count > 1 else { return cells[0] }
            var line = ""
            for (cell, width) in zip(cells, widths) {
                line += cell + String(repeating: " ", count: width - cell.unicodeScalars.count + 2)
            }
            line += cells[3]
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// `Mon 2026-11-23 09:30:00 +01:00`.
    private static func local(_ instant: Timestamp, in zone: Zone) -> String {
        let local = zone.local(instant)
        let text = instant.rfc3339(in: zone)
        let offset = text.hasSuffix("Z") ? "+00:00" : String(text.suffix(6))
        return "\(local.weekdayName) \(local.dateText) \(local.timeText) \(offset)"
    }

    /// `in 3 days`, `3 days ago`, `now`.
    static func distance(to instant: Timestamp, from present: Timestamp) -> String {
        let words = RemainingText.words(present.duration(to: instant).nanoseconds)
        return words == "0 s" ? "now" : words.hasSuffix(" ago") ? words : "in \(words)"
    }
}
