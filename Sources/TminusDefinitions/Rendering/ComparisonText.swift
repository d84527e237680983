package import TminusCore

/// Renders a comparison for display: `+` is added, `-` removed, `~` changed, `>` moved to another instant.
package enum ComparisonText {
    /// One paragraph per changed definition, one line per sink, and a summary; each line ends with a line break.
    package static func render(_ comparison: SetComparison) -> String {
        var lines: [String] = []
        for single in comparison.removed {
            lines.append(header("-", single.definition))
            lines += firings(single, sign: "-")
        }
        for single in comparison.added {
            lines.append(header("+", single.definition) + (single.isResumed ? ": resumes where it was" : ""))
            lines += firings(single, sign: "+")
        }
        for changed in comparison.changed {
            let aspects = changed.aspects.map(\.rawValue).joined(separator: ", ")
            lines.append(header("~", changed.after) + (aspects.isEmpty ? "" : ": \(aspects)"))
            lines += changed.changes.map { line($0, before: changed.before.zone, after: changed.after.zone) }
        }
        lines += comparison.removedSinks.map { "- sink \($0)" }
        lines += comparison.addedSinks.map { "+ sink \($0)" }
        lines += comparison.changedSinks.map { "~ sink \($0)" }
        lines.append(summary(comparison))
        return lines.map { VisibleText.escaped($0) + "\n" }.joined()
    }

    private static func header(_ sign: String, _ definition: Definition) -> String {
        let origin = definition.origin
        return "\(sign) \(definition.kind.rawValue) \(definition.id) (\(origin.file):\(origin.line))"
            + (definition.isEnabled ? "" : ", disabled")
    }

    private static func firings(_ single: SetComparison.Single, sign: String) -> [String] {
        if single.firings.isEmpty { return ["    no upcoming firings"] }
        return single.firings.map { "    \(sign) \($0.due.rfc3339(in: single.definition.zone))  \(action($0))" }
    }

    private static func line(_ change: FiringChange, before: Zone, after: Zone) -> String {
        switch change {
        case .removed(let firing): "    - \(firing.due.rfc3339(in: before))  \(action(firing))"
        case .added(let firing): "    + \(firing.due.rfc3339(in: after))  \(action(firing))"
        case .moved(let from, let to):
            "    > \(from.due.rfc3339(in: before)) -> \(to.due.rfc3339(in: after))  \(action(to))"
        }
    }

    private static func action(_ firing: ComingFiring) -> String { firing.action.words }

    private static func summary(_ comparison: SetComparison) -> String {
        var parts = [
            "\(comparison.added.count) to add", "\(comparison.removed.count) to remove",
            "\(comparison.changed.count) to change", "\(comparison.unchanged) unchanged",
        ]
        let sinks = comparison.addedSinks.count + comparison.removedSinks.count + comparison.changedSinks.count
        if sinks > 0 { parts.append("\(sinks) \(sinks == 1 ? "sink" : "sinks") to change") }
        return comparison.isEmpty ? "no difference, \(comparison.unchanged) unchanged" : parts.joined(separator: ", ")
    }
}
