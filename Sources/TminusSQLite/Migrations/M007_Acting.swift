import GRDB

/// An index of the schedules that wait for the end of an expiry: mostly none does, and then no end has to be looked for.
enum M007 {
    static let name = "M007"

    /// Creates the index.
    static func apply(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX schedule_acting ON schedule (definition) WHERE phase = 'acting'")
    }
}
