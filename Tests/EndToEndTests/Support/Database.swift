import PostgresTestServer

extension Cluster {
    /// The address of a new database.
    func database() async throws -> String {
        let name = "e2e_\(UInt64.random(in: 0 ... .max))"
        try await query("CREATE DATABASE \(name)", in: "\(address)")
        return "postgresql://tminus@/\(name)?host=\(directory)"
    }

    /// Runs a statement and returns the rows as psql(1) prints them.
    @discardableResult
    func query(_ sql: String, in database: String) async throws -> [String] {
        let tool = try Program("psql", ["-qAt", "-c", sql, database])
        guard try await tool.end() == 0 else { throw Waiting.Vain(what: sql, seen: tool.errors.texts) }
        return tool.output.texts
    }
}
