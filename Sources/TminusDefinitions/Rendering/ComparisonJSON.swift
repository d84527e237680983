package import TminusCore

/// Renders a comparison for programs.
package enum ComparisonJSON {
    /// One JSON object on one line. Instants are RFC 3339, in UTC.
    package static func render(_ comparison: SetComparison, now: Timestamp) -> String {
        var writer = JSONWriter()
        writer.object { object in
            object.member("now", now.rfc3339)
            object.member("different", !comparison.isEmpty)
            object.member("added", objects: comparison.added) { write($1, to: &$0) }
            object.member("removed", objects: comparison.removed) { write($1, to: &$0) }
            object.member("changed", objects: comparison.changed) { write($1, to: &$0) }
            object.member("unchanged", comparison.unchanged)
            object.member("sinks") { sinks in
                sinks.member("added", texts: comparison.addedSinks)
                sinks.member("removed", texts: comparison.removedSinks)
                sinks.member("changed", texts: comparison.changedSinks)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ single: SetComparison.Single, to object: inout JSONWriter) {
        describe(single.definition, to: &object)
        object.member("resumed", single.isResumed)
        object.member("firings", objects: single.firings) { write($1, to: &$0) }
    }

    private static func write(_ changed: SetComparison.Changed, to object: inout JSONWriter) {
        describe(changed.after, to: &object)
        object.member("aspects", texts: changed.aspects.map(\.rawValue))
        object.member("before", objects: changed.firingsBefore) { write($1, to: &$0) }
        object.member("after", objects: changed.firingsAfter) { write($1, to: &$0) }
        object.member("firings", objects: changed.changes) { object, change in
            switch change {
            case .added(let firing):
                object.member("change", "added")
                write(firing, to: &object)
            case .removed(let firing):
                object.member("change", "removed")
                write(firing, to: &object)
            case .moved(let from, let to):
                object.member("change", "moved")
                object.member("from", from.due.rfc3339)
                write(to, to: &object)
            }
        }
    }

    private static func describe(_ definition: Definition, to object: inout JSONWriter) {
        object.member("id", definition.id.rawValue)
        object.member("kind", definition.kind.rawValue)
        object.member("name", definition.name)
        object.member("enabled", definition.isEnabled)
        object.member("file", definition.origin.file)
        object.member("line", definition.origin.line)
    }

    private static func write(_ firing: ComingFiring, to object: inout JSONWriter) {
        object.member("action", firing.action.rawValue)
        object.member("due", firing.due.rfc3339)
        object.member("occurrence", firing.occurrence.rfc3339)
    }
}
