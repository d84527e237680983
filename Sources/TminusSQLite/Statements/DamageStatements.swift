import TminusStorage

/// What this program writes into the columns of a table, and the statements that find and move rows with anything else.
struct DamageStatements {
    /// Which rows are looked at.
    enum Scope {
        /// Those that a start needs: the history can be large.
        case start
        /// All of them, after a verb failed because of one.
        case all
    }

    /// A column with the condition that its value is not one of this program.
    struct Column {
        let name: String
        let isWrong: String
        let isText: Bool
    }

    /// The table.
    let table: String
    /// The columns that identify a row for a reader.
    let key: [String]
    /// The columns.
    let columns: [Column]
    /// The condition of the rows that a start needs; nil for all rows.
    var needed: String?
    /// The conditions under which columns contradict each other or other tables, with what is wrong then.
    var contradictions: [(condition: String, reason: String)] = []

    /// The number of each row, what is wrong with it or NULL, and its texts.
    func find(_ scope: Scope) -> String {
        let texts = columns.filter(\.isText).map(\.name).joined(separator: ", ")
        let condition = scope == .start ? needed.map { " WHERE \($0)" } ?? "" : ""
        return "SELECT rowid, \(wrong), \(texts) FROM \(table)\(condition)"
    }

    /// The number of texts in a row of ``find(_:)``.
    var textCount: Int { columns.count(where: \.isText) }

    /// What is wrong with the current row; NULL if nothing is.
    var wrong: String {
        let columns = columns.map {
            "WHEN \($0.isWrong) THEN 'the column \(Self.plain($0.name)) cannot be read'"
        }
        let others = contradictions.map { "WHEN \($0.condition) THEN '\($0.reason)'" }
        return "CASE \((columns + others).joined(separator: " ")) END"
    }

    /// Copies the row with the number `?1` to `damaged`, with the reason `?2` at the instant `?3`.
    var move: String { "\(copy("?2", "?3")) WHERE rowid = ?1" }

    /// The identity of the row with the number `?`.
    var identity: String { "SELECT \(identityText) FROM \(table) WHERE rowid = ?" }

    /// Removes the row with the number `?`.
    var delete: String { "DELETE FROM \(table) WHERE rowid = ?" }

    /// Copies rows to `damaged`; the condition follows. `reason` and `noticed` are expressions.
    func copy(_ reason: String, _ noticed: String) -> String {
        let content = columns.map { "'\(Self.plain($0.name)) = ' || \(Self.literal($0.name))" }
        return """
            INSERT INTO damaged ("table", "row", reason, content, noticed)
            SELECT '\(table)', \(identityText), \(reason),
                substr(\(content.joined(separator: " || char(10) || ")), 1, \(Self.contentLimit)), \(noticed)
            FROM \(table)
            """
    }

    private var identityText: String { key.map(Self.literal).joined(separator: " || ' ' || ") }

    /// A value as an SQL literal. SQLite's `quote` ends a text at a NUL.
    private static func literal(_ column: String) -> String {
        """
        CASE WHEN typeof(\(column)) = 'text' AND instr(\(column), char(0)) > 0 THEN 'X''' || hex(\(column)) || ''''
        ELSE quote(\(column)) END
        """
    }

    /// The most characters of a row that are kept: enough for every row but the content of a large file.
    private static let contentLimit = 1_000_000

    private static func plain(_ name: String) -> String { name.replacing("\"", with: "") }
}

extension DamageStatements.Column {
    /// A text.
    static func text(_ name: String) -> Self {
        Self(name: name, isWrong: "typeof(\(name)) <> 'text' OR instr(\(name), char(0)) > 0", isText: true)
    }

    /// The id of a definition.
    static func id(_ name: String) -> Self {
        let text = text(name).isWrong
        return Self(
            name: name,
            isWrong: "\(text) OR length(\(name)) NOT BETWEEN 1 AND 64 OR \(name) GLOB '*[^A-Za-z0-9._-]*'",
            isText: true)
    }

    /// One of several words.
    static func word<Word: RawRepresentable>(_ name: String, _ words: [Word]) -> Self where Word.RawValue == String {
        let list = words.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return Self(name: name, isWrong: "typeof(\(name)) <> 'text' OR \(name) NOT IN (\(list))", isText: true)
    }

    /// An integer, in a range if one is given.
    static func integer(_ name: String, in range: ClosedRange<Int64>? = nil) -> Self {
        let outside = range.map { " OR \(name) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
        return Self(name: name, isWrong: "typeof(\(name)) <> 'integer'\(outside)", isText: false)
    }

    /// A count.
    static func count(_ name: String) -> Self {
        integer(name, in: Int64(Counts.all.lowerBound)...Int64(Counts.all.upperBound))
    }

    /// The number of a row.
    static func number(_ name: String) -> Self { integer(name, in: Counts.rowNumbers) }

    /// An instant at which something happened or is to be done next, so one that a clock shows.
    static func instant(_ name: String) -> Self { integer(name, in: Counts.clockInstants) }

    /// Bytes.
    static func bytes(_ name: String) -> Self {
        Self(name: name, isWrong: "typeof(\(name)) <> 'blob'", isText: false)
    }

    /// The same, or NULL.
    var orNull: Self { Self(name: name, isWrong: "\(name) IS NOT NULL AND (\(isWrong))", isText: isText) }
}
