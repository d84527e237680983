internal import TminusCore
internal import TminusPostgres

/// The PostgreSQL database of the store.
struct DatabaseFacts: Sendable {
    /// What keeps a daemon from using the database; nil if nothing does.
    var problem: StoreError?

    /// Connects to the database at an address. Changes nothing there, and blocks meanwhile.
    static func ofServer(_ address: String) -> DatabaseFacts {
        DatabaseFacts(problem: PostgresStore.problem(at: address))
    }

    /// What is wrong. The message of the store ends with the remedy.
    var findings: [Finding] {
        guard let message = problem?.message else { return [] }
        guard let end = message.ranges(of: "; ").last else {
            return [Finding(.error, .storeRefused, "the database", message, fix: "correct the address with --store")]
        }
        return [
            Finding(
                .error, .storeRefused, "the database", String(message[..<end.lowerBound]),
                fix: String(message[end.upperBound...]))
        ]
    }
}
