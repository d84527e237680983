package import TminusControl
package import TminusCore

/// The text of `tminus history` and `tminus why`.
package enum HistoryText {
    /// Renders one line for each entry.
    package static func render(_ entries: [HistoryAnswer], zone: Zone) -> String {
        if entries.isEmpty { return "Nothing has come due yet.\n" }
        return entries.map { SafeText.line(line($0, zone)) + "\n" }.joined()
    }

    /// Selects the entries whose occurrence or due time is in a span; without a span, those of the newest occurrence.
    /// Entries come newest first.
    package static func entries(
        _ history: [HistoryAnswer], of span: ClosedRange<Timestamp>?
    ) -> [HistoryAnswer] {
        if let span {
            return history.filter { entry in
                [entry.occurrence, entry.due].compactMap(instant).contains { span.contains($0) }
            }
        }
        return history.filter { $0.occurrence == history.first?.occurrence }
    }

    /// Renders each entry with its deliveries and their attempts.
    package static func explain(_ answers: [WhyAnswer], zone: Zone) -> String {
        var lines: [String] = []
        for answer in answers {
            lines.append(line(answer.entry, zone))
            for delivery in answer.deliveries {
                lines += DeliveryText.lines(delivery, isDetailed: true, zone: zone).map { "  \($0)" }
            }
        }
        return lines.map { SafeText.line($0) + "\n" }.joined()
    }

    private static func line(_ entry: HistoryAnswer, _ zone: Zone) -> String {
        var text = "\(local(entry.occurrence, zone))  \(AnswerText.action(entry.action)): \(words(entry, zone))"
        if entry.count > 1 { text += ", \(entry.count) times" }
        return text
    }

    private static func words(_ entry: HistoryAnswer, _ zone: Zone) -> String {
        switch entry.end {
        case "open": return "not finished yet"
        case "delivered": return "delivered" + (entry.at.map { " at \(local($0, zone))" } ?? "")
        default: return entry.end + (entry.reason.map { ", because \($0)" } ?? "")
        }
    }

    static func instant(_ text: String) -> Timestamp? { Timestamp(rfc3339: text) }

    /// Formats an instant in a zone: `2026-12-01 09:00:00 +01:00`.
    static func local(_ text: String, _ zone: Zone) -> String {
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
