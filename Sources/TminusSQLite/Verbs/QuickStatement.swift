import GRDB
import GRDBSQLite
import TminusCore
import TminusStorage

/// A prepared statement for verbs that run it for each of many rows.
///
/// It passes values to SQLite without GRDB's boxes and dictionaries, which took half of the time of a firing. GRDB
/// prepares, caches and finalizes the statement. So it is valid only as long as its ``Transaction``, and statements
/// with the same text share bindings.
struct QuickStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer

    /// Creates the statement with the given text. A connection prepares it once.
    init(_ sql: String, _ transaction: Transaction) throws {
        statement = try transaction.db.cachedStatement(sql: sql).sqliteStatement
        guard let connection = transaction.db.sqliteConnection else { throw UnreadableRow(what: "a closed store") }
        self.connection = connection
    }

    /// Binds values to consecutive parameters after `before`. Parameters count from 1, columns from 0.
    func bind<each Value: QuickValue>(after before: CInt = 0, _ values: repeat each Value) {
        var parameter = before
        for value in repeat each values {
            parameter += 1
            value.bind(to: statement, parameter)
        }
    }

    /// Runs the statement to its end and returns how many rows it changed.
    @discardableResult
    func run() throws -> Int {
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: continue
            case SQLITE_DONE: return Int(sqlite3_changes(connection))
            case let code: throw failure(code)
            }
        }
    }

    /// The number of the last inserted row; valid only if this statement ran last.
    var lastInsertedNumber: Int64 { sqlite3_last_insert_rowid(connection) }

    /// Passes the first row to `body`, if there is one.
    func first<Value>(_ body: (QuickRow) throws -> Value?) throws -> Value? {
        defer { sqlite3_reset(statement) }
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return try body(QuickRow(statement: statement))
        case SQLITE_DONE: return nil
        case let code: throw failure(code)
        }
    }

    /// Passes each row to `body`. The row is valid only during the call.
    func each(_ body: (QuickRow) throws -> Void) throws {
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(QuickRow(statement: statement))
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    private func failure(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}

/// A value that a ``QuickStatement`` binds.
protocol QuickValue {
    /// Binds it to a parameter.
    func bind(to statement: OpaquePointer, _ parameter: CInt)
}

extension String: QuickValue {
    func bind(to statement: OpaquePointer, _ parameter: CInt) {
        // Native strings are contiguous, so nothing is copied except by SQLite.
        var text = self
        text.withUTF8 { bytes in
            // SQLITE_TRANSIENT: SQLite copies the text.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            _ = bytes.withMemoryRebound(to: CChar.self) { characters in
                // The address of an empty text may be null, which would mean NULL to SQLite.
                if let address = characters.baseAddress {
                    sqlite3_bind_text(statement, parameter, address, CInt(characters.count), transient)
                } else {
                    sqlite3_bind_text(statement, parameter, "", 0, transient)
                }
            }
        }
    }
}

extension [UInt8]: QuickValue {
    func bind(to statement: OpaquePointer, _ parameter: CInt) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        withUnsafeBytes { _ = sqlite3_bind_blob(statement, parameter, $0.baseAddress, CInt($0.count), transient) }
    }
}

extension Int64: QuickValue {
    func bind(to statement: OpaquePointer, _ parameter: CInt) { sqlite3_bind_int64(statement, parameter, self) }
}

extension Int: QuickValue {
    func bind(to statement: OpaquePointer, _ parameter: CInt) { Int64(self).bind(to: statement, parameter) }
}

extension Timestamp: QuickValue {
    func bind(to statement: OpaquePointer, _ parameter: CInt) { nanoseconds.bind(to: statement, parameter) }
}

extension Optional: QuickValue where Wrapped: QuickValue {
    func bind(to statement: OpaquePointer, _ parameter: CInt) {
        switch self {
        case nil: sqlite3_bind_null(statement, parameter)
        case let value?: value.bind(to: statement, parameter)
        }
    }
}

/// A row of a ``QuickStatement``. A column with another type than requested, as in a damaged file, is an error.
struct QuickRow {
    fileprivate let statement: OpaquePointer

    /// A text.
    func text(_ column: CInt) throws -> String {
        guard let text = try optionalText(column) else { throw UnreadableRow(what: "a column") }
        return text
    }

    /// A text or NULL.
    func optionalText(_ column: CInt) throws -> String? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, column) else { throw UnreadableRow(what: "a column") }
            let count = Int(sqlite3_column_bytes(statement, column))
            let buffer = UnsafeBufferPointer(start: bytes, count: count)
            // A repaired text would not be the one in the file: a search that goes on from it may never end.
            guard let text = String(validating: buffer, as: UTF8.self) else { throw UnreadableRow(what: "a text") }
            return text
        default: throw UnreadableRow(what: "a column")
        }
    }

    /// A number.
    func number(_ column: CInt) throws -> Int64 {
        guard let number = try optionalNumber(column) else { throw UnreadableRow(what: "a column") }
        return number
    }

    /// A count, clamped to the range of ``Counts``.
    func count(_ column: CInt) throws -> Int {
        min(max(Counts.all.lowerBound, Int(clamping: try number(column))), Counts.all.upperBound)
    }

    /// A number or NULL.
    func optionalNumber(_ column: CInt) throws -> Int64? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: sqlite3_column_int64(statement, column)
        default: throw UnreadableRow(what: "a column")
        }
    }

    /// A count. Throws if it is outside the range of ``Counts``.
    func exactCount(_ column: CInt) throws -> Int {
        let count = Int(clamping: try number(column))
        guard Counts.all.contains(count) else { throw UnreadableRow(what: "the count \(count)") }
        return count
    }

    /// Bytes.
    func bytes(_ column: CInt) throws -> [UInt8] {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw UnreadableRow(what: "a column") }
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
        return [UInt8](bytes)
    }

    /// The id of a definition.
    func definition(_ column: CInt) throws -> DefinitionID {
        let text = try text(column)
        guard let id = DefinitionID(text) else { throw UnreadableRow(what: "the definition id '\(text)'") }
        return id
    }

    /// An instant.
    func instant(_ column: CInt) throws -> Timestamp { Timestamp(nanoseconds: try number(column)) }

    /// An instant, or none.
    func optionalInstant(_ column: CInt) throws -> Timestamp? {
        try optionalNumber(column).map { Timestamp(nanoseconds: $0) }
    }

    /// One of several words.
    func word<Word: RawRepresentable>(_ column: CInt, _: Word.Type) throws -> Word where Word.RawValue == String {
        let text = try text(column)
        guard let word = Word(rawValue: text) else { throw UnreadableRow(what: "the word '\(text)'") }
        return word
    }
}
