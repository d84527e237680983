import TminusCore

/// Keys that tminus documents and this version does not have yet. They get words of their own: whoever writes one has
/// made no slip.
enum PlannedKeys {
    /// The planned keys of each kind of mapping.
    static let definition: Set = ["template"]
    static let sink: Set = ["template"]

    /// `node` without the planned keys that `table` does not have yet; each is reported.
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
