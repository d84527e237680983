import GRDB
import GRDBSQLite
import TminusStorage

/// A prepared statement, and the reader of its current row.
///
/// It passes values to SQLite without GRDB's boxes and dictionaries, which took half of the time of a firing. GRDB
/// prepares, caches and finalizes the statement. So it is valid only as long as its transaction, and statements with the same
/// text share bindings.
final class QuickStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer

    /// Creates the statement with the given text. A connection prepares it once.
    init(_ sql: String, _ db: Database) throws {
        statement = try db.cachedStatement(sql: sql).sqliteStatement
        guard let connection = db.sqliteConnection else { throw UnreadableRow(what: "a closed store") }
        self.connection = connection
    }

    /// Binds values to consecutive parameters after `before`. Parameters count from 1, columns from 0.
    func bind(after before: Int = 0, _ values: [Parameter]) {
        var parameter = CInt(truncatingIfNeeded: before)
        for value in values {
            parameter += 1
            switch value {
            case .number(let number?): sqlite3_bind_int64(statement, parameter, number)
            case .text(let text?): bind(text, parameter)
            case .bytes(let bytes?):
                bytes.withUnsafeBytes { bytes in
                    let count = CInt(clamping: bytes.count)
                    _ = sqlite3_bind_blob(statement, parameter, bytes.baseAddress, count, Self.transient)
                }
            case .number, .text, .bytes: sqlite3_bind_null(statement, parameter)
            }
        }
    }

    /// Runs the statement to its end and returns how many rows it changed.
    func run() throws -> Int {
        try each {}
        return Int(clamping: sqlite3_changes(connection))
    }

    /// Runs the statement, and calls `body` at each row.
    func each(_ body: () throws -> Void) throws {
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body()
            case SQLITE_DONE: return
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                    message: String(cString: sqlite3_errmsg(connection)))
            }
        }
    }

    private func bind(_ text: String, _ parameter: CInt) {
        // Native strings are contiguous, so nothing is copied except by SQLite.
        var text = text
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) { characters in
                // The address of an empty text may be null, which would mean NULL to SQLite.
                if let address = characters.baseAddress {
                    sqlite3_bind_text(statement, parameter, address, CInt(clamping: characters.count), Self.transient)
                } else {
                    sqlite3_bind_text(statement, parameter, "", 0, Self.transient)
                }
            }
        }
    }

    /// SQLITE_TRANSIENT: SQLite copies the value.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension QuickStatement: RowReader {
    func text(_ column: CInt) throws -> String? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, column) else { throw UnreadableRow(what: "a column") }
            let count = Int(clamping: sqlite3_column_bytes(statement, column))
            let buffer = UnsafeBufferPointer(start: bytes, count: count)
            // A repaired text would not be the one in the file: a search that goes on from it may never end.
            guard let text = String(validating: buffer, as: UTF8.self) else { throw UnreadableRow(what: "a text") }
            return text
        default: throw UnreadableRow(what: "a column")
        }
    }

    func number(_ column: CInt) throws -> Int64? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: sqlite3_column_int64(statement, column)
        default: throw UnreadableRow(what: "a column")
        }
    }

    func bytes(_ column: CInt) throws -> [UInt8]? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let count = Int(clamping: sqlite3_column_bytes(statement, column))
            return [UInt8](UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count))
        default: throw UnreadableRow(what: "a column")
        }
    }
}
