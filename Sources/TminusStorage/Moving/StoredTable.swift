/// A table that every SQL store has, as a move copies it.
package struct StoredTable: Sendable {
    /// A column with its type.
    struct Column: Sendable {
        enum Kind: Sendable {
            case number, text, bytes
        }

        /// The name in statements.
        let name: String
        let kind: Kind

        static func number(_ name: String) -> Column { Column(name: name, kind: .number) }
        static func text(_ name: String) -> Column { Column(name: name, kind: .text) }
        static func bytes(_ name: String) -> Column { Column(name: name, kind: .bytes) }
    }

    /// The name.
    package let name: String
    /// The columns by which rows are ordered. They are first in a row.
    let key: [Column]
    /// The other columns.
    let others: [Column]
    /// Whether the database numbers the rows. Then the number, which is the key, is not copied: a database would not know that it is
    /// taken.
    var isNumbered = false
    /// How many rows are read at once.
    var page = 500

    /// All columns.
    var columns: [Column] { key + others }

    /// The columns that are copied.
    var copied: ArraySlice<Column> { columns.dropFirst(isNumbered ? 1 : 0) }

    /// The names of all columns, without quotes.
    package var columnNames: [String] { columns.map { $0.name.replacing("\"", with: "") } }

    /// All tables; those that others refer to come first.
    package static let all = [
        StoredTable(
            name: "sink", key: [.text("\"key\"")],
            others: [.text("name"), .text("kind"), .text("title"), .text("spec"), .number("retired")]),
        StoredTable(
            name: "schedule", key: [.text("definition")],
            others: [
                .text("kind"), .number("fingerprint"), .number("leads"), .text("phase"), .number("\"cursor\""),
                .number("start"), .number("deadline"), .number("occurrences"), .number("removed"),
                .number("held_since"), .number("added"), .text("laps"), .text("overrides"), .number("disabled"),
            ]),
        StoredTable(
            name: "firing", key: [.number("id")],
            others: [
                .text("definition"), .number("occurrence"), .text("action"), .text("kind"), .number("due"),
                .text("payload"), .number("created"), .text("on_failure"),
            ]),
        StoredTable(
            name: "delivery", key: [.number("number")],
            others: [
                .text("id"), .number("firing"), .text("definition"), .number("occurrence"), .text("sink"),
                .text("state"), .text("overlap"), .number("attempt"), .number("tries"), .number("interrupted"),
                .number("since"), .number("expires"), .number("next_attempt"), .number("started"),
                .text("claim_token"), .text("claim_owner"), .number("claim_until"), .text("withdrawn"),
                .text("reason"), .text("report"), .number("created"), .number("settled"),
            ]),
        StoredTable(
            name: "attempt", key: [.number("delivery"), .number("number")],
            others: [.number("started"), .number("ended"), .text("outcome"), .text("reason"), .text("report")]),
        StoredTable(
            name: "omission", key: [.number("id")],
            others: [
                .text("definition"), .number("occurrence"), .text("action"), .number("due"), .text("reason"),
                .number("count"), .number("recorded"), .text("note"),
            ], isNumbered: true),
        StoredTable(
            name: "control", key: [.number("id")],
            others: [.text("definition"), .text("control"), .text("author"), .number("at"), .text("note")],
            isNumbered: true),
        // A file may have megabytes.
        StoredTable(
            name: "kept_file", key: [.number("id")],
            others: [.text("root"), .text("path"), .bytes("content"), .text("digest"), .number("written")],
            isNumbered: true, page: 4),
        StoredTable(
            name: "ad_hoc", key: [.text("definition")],
            others: [.bytes("document"), .text("author"), .number("created")]),
        StoredTable(name: "general_mute", key: [.number("id")], others: [.text("mute")]),
        StoredTable(
            name: "session", key: [.text("digest")],
            others: [
                .text("name"), .text("token"), .text("level"), .text("address"), .number("made"), .number("used"),
            ]),
    ]
}

extension Transaction {
    /// The rows of a table after the one with the given key, at most a page. An empty key is before all rows.
    func page(of table: StoredTable, after key: [Parameter]) throws -> [[Parameter]] {
        let names = table.key.map(\.name).joined(separator: ", ")
        let places = (1...table.key.count).map { "?\($0)" }.joined(separator: ", ")
        var rows: [[Parameter]] = []
        let sql = """
            SELECT \(table.columns.map(\.name).joined(separator: ", ")) FROM \(table.name)
            \(key.isEmpty ? "" : "WHERE (\(names)) > (\(places))")
            ORDER BY \(names) LIMIT \(table.page)
            """
        try runner.forEach(sql, [key]) { _, row in rows.append(try row.values(of: table)) }
        return rows
    }

    /// Adds rows to a table.
    func add(_ rows: [[Parameter]], to table: StoredTable) throws {
        let text = GroupedText(Array(1...table.copied.count)) { values in
            "INSERT INTO \(table.name) (\(table.copied.map(\.name).joined(separator: ", "))) VALUES \(values)"
        }
        _ = try runner.write(text, rows.map { Array($0.suffix(table.copied.count)) })
    }

    /// The tables that have rows.
    package func filledTables() throws -> [String] {
        try StoredTable.all.map(\.name).filter { try number("SELECT 1 FROM \($0) LIMIT 1") != nil }
    }

    /// Removes all rows of all tables.
    package func clear() throws {
        for table in StoredTable.all.reversed() { try post("DELETE FROM \(table.name)") }
    }
}

extension StoredRow {
    fileprivate func values(of table: StoredTable) throws -> [Parameter] {
        try table.columns.enumerated().map { position, column in
            let number = CInt(clamping: position)
            return switch column.kind {
            case .number: .number(try optionalNumber(number))
            case .text: .text(try optionalText(number))
            case .bytes: .bytes(try bytes(number))
            }
        }
    }
}
