import TminusCore

/// Keys that are documented but not supported by this version yet. They get their own message, since they are not
/// typing errors.
enum PlannedKeys {
    /// The planned keys of each kind of mapping.
    static let definition: Set = ["template"]
    static let sink: Set = ["template"]

    /// Returns `node` without the planned keys that `table` does not have yet, and reports each of them.
    static func strip(_ planned: Set<String>, from node: Node, table: KeyTable, _ diagnostics: DiagnosticBag) -> Node {
        guard case .mapping(let entries) = node.content else { return node }
        func isPlanned(_ entry: Node.Entry) -> Bool { planned.contains(entry.key) && table[entry.key] == nil }
        guard entries.contains(where: isPlanned) else { return node }
        for entry in entries where isPlanned(entry) {
            diagnostics.error("'\(entry.key)' is not supported by this version yet", at: entry.keyRange)
        }
        return Node(.mapping(entries.filter { !isPlanned($0) }), range: node.range)
    }
}
