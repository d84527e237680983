package import TminusControl
package import TminusCore

/// The text of `tminus history` and `tminus why`.
package enum HistoryText {
    /// Renders one line for each entry.
    package static func render(_ entries: [HistoryAnswer], zone: Zone) -> String {
        if entries.isEmpty { return "Nothing has come due yet.\n" }
        return entries.map { SafeText.line(line($0, zone)) + "\n" }.joined()
    }

    /// Renders one line for each entry, with the id of its definition. Times are local to each definition's zone, or to
    /// `zone` if that is unknown.
    package static func render(_ entries: [HistoryAnswer], zones: [String: Zone], otherwise zone: Zone) -> String {
        if entries.isEmpty { return "Nothing has come due yet.\n" }
        return entries.map { entry in
            let zone = entry.definition.flatMap { zones[$0] } ?? zone
            return SafeText.line(line(entry, zone, of: entry.definition ?? "all")) + "\n"
        }.joined()
    }

    /// Selects the entries whose occurrence or due time is in a span; without a span, those of the newest occurrence of
    /// which something was due at `now`, or else of the newest one.
    /// Entries come newest first.
    package static func entries(
        _ history: [HistoryAnswer], of span: ClosedRange<Timestamp>?, now: Timestamp = .distantFuture
    ) -> [HistoryAnswer] {
        if let span {
            return history.filter { entry in
                [entry.occurrence, entry.due].compactMap(instant).contains { span.contains($0) }
            }
        }
        // An occurrence that was edited away may be to come, and is not the last one.
        let last = history.first { entry in instant(entry.due).map { $0 <= now } ?? true } ?? history.first
        return history.filter { $0.occurrence == last?.occurrence }
    }

    /// Selects the controls that concern the occurrences of `entries`: those since the occurrence before them. Without
    /// entries, all of them. Both come newest first.
    package static func controls(
        _ controls: [HistoryAnswer], of entries: [HistoryAnswer], among history: [HistoryAnswer]
    ) -> [HistoryAnswer] {
        guard let newest = entries.compactMap({ instant($0.due) }).max(),
            let oldest = entries.compactMap({ instant($0.occurrence) }).min()
        else { return controls }
        let before = history.compactMap { instant($0.occurrence) }.filter { $0 < oldest }.max() ?? .distantPast
        // After the newest occurrence, what a user did since is of interest too.
        let isNewest = !history.contains { instant($0.occurrence).map { $0 > newest } ?? false }
        return controls.filter { control in
            instant(control.due).map { $0 > before && (isNewest || $0 <= newest) } ?? false
        }
    }

    /// Renders each entry with its deliveries and their attempts.
    package static func explain(_ answers: [WhyAnswer], controls: [HistoryAnswer] = [], zone: Zone) -> String {
        var lines: [String] = []
        for answer in answers {
            lines.append(line(answer.entry, zone))
            for delivery in answer.deliveries {
                lines += DeliveryText.lines(delivery, isDetailed: true, zone: zone).map { "  \($0)" }
            }
        }
        lines += controls.map { line($0, zone) }
        return lines.map { SafeText.line($0) + "\n" }.joined()
    }

    private static func line(_ entry: HistoryAnswer, _ zone: Zone, of definition: String? = nil) -> String {
        let definition = definition.map { "\($0) " } ?? ""
        if entry.isControl { return "\(local(entry.due, zone))  \(definition)\(control(entry))" }
        var text =
            "\(local(entry.occurrence, zone))  \(definition)\(AnswerText.action(entry.action)): \(words(entry, zone))"
        if entry.count > 1 { text += ", \(entry.count) times" }
        return text
    }

    /// A control in words: `pause by ada: lunch`.
    package static func control(_ entry: HistoryAnswer) -> String {
        let name = entry.action.split(separator: ":").last.map(String.init) ?? entry.action
        return "\(name) by \(entry.by ?? "-")" + (entry.note.map { ": \($0)" } ?? "")
    }

    private static func words(_ entry: HistoryAnswer, _ zone: Zone) -> String {
        switch entry.end {
        case "open": return "not finished yet"
        case "delivered": return "delivered" + (entry.at.map { " at \(local($0, zone))" } ?? "")
        default: return entry.end + (entry.message.map { ", because \($0)" } ?? "")
        }
    }

    static func instant(_ text: String) -> Timestamp? { Timestamp(rfc3339: text) }

    /// Formats an instant in a zone: `2026-12-01 09:00:00 +01:00`.
    package static func local(_ text: String, _ zone: Zone) -> String {
        instant(text).map { local($0, zone) } ?? text
    }

    /// Formats an instant in a zone: `2026-12-01 09:00:00 +01:00`.
    static func local(_ instant: Timestamp, _ zone: Zone) -> String {
        var local = zone.local(instant)
        local.nanosecond = 0
        let written = instant.rfc3339(in: zone)
        return "\(local.dateText) \(local.timeText) \(written.hasSuffix("Z") ? "+00:00" : String(written.suffix(6)))"
    }
}
