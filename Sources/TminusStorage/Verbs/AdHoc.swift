import TminusCore

extension Transaction {
    /// The readable definitions without a file.
    func adHocDefinitions() throws -> [AdHocDefinition] {
        var found: [AdHocDefinition] = []
        try forEach(AdHocStatements.all) { row in
            guard let id = try? row.definition(0), let document = try? row.bytes(1) else { return }
            found.append(
                AdHocDefinition(id: id, document: document, by: try row.text(2), created: try row.instant(3)))
        }
        return found
    }

    /// Writes a definition, and replaces the one with the same id.
    func write(_ definition: AdHocDefinition) throws {
        try post(
            AdHocStatements.write, definition.id.rawValue, definition.document, definition.by, definition.created)
    }

    /// Removes definitions.
    func removeAdHoc(_ ids: [DefinitionID]) throws -> Int {
        try ids.reduce(0) { $0 + (try run(AdHocStatements.remove, $1.rawValue)) }
    }
}
