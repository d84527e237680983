internal import TminusCore
internal import TminusPostgres

/// `tminus store setup`: the schema of a store in a database, and the rights of the role of a daemon that does not own it.
package struct StoreSetup: Sendable {
    private let setup: DatabaseSetup

    /// A setup for a role; nil for a daemon that connects as the owner.
    package init(role: String?) throws(ToolError) {
        let name = role.flatMap { SchemaName($0) }
        guard role == nil || name != nil else {
            throw ToolError(.usage, "--role: expected lower-case letters, digits and underscores")
        }
        setup = DatabaseSetup(role: name)
    }

    /// The statements, for psql.
    package var script: String { setup.script }

    /// Makes the schema, or brings it up to date, and gives the role its rights. Blocks meanwhile.
    package func perform(at location: StoreLocation) throws(ToolError) {
        guard case .database(let address) = location else {
            throw ToolError(.usage, "a store in a file needs no setup; give the address of a database")
        }
        do throws(StoreError) { try setup.perform(at: address) } catch { throw ToolError(error) }
    }
}
