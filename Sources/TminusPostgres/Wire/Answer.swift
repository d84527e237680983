internal import CPostgres
import TminusCore
import TminusStorage

/// The answer of the server to one statement. Confined to the thread of its connection.
final class Answer {
    private let result: OpaquePointer
    private let library: tminus_libpq

    init(_ result: OpaquePointer, _ library: tminus_libpq) {
        self.result = result
        self.library = library
    }

    deinit { library.PQclear(result) }

    /// How the statement ended.
    var status: ExecStatusType { library.PQresultStatus(result) }

    /// The number of rows that the statement changed.
    var changed: Int { library.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The rows.
    var rows: some Sequence<Row> { (0..<library.PQntuples(result)).lazy.map { Row(answer: self, number: $0) } }

    /// The error, if the statement failed.
    var error: ServerError? {
        guard status == PGRES_FATAL_ERROR else { return nil }
        return ServerError(state: field("C"), text: field("M"))
    }

    private func field(_ code: Unicode.Scalar) -> String {
        library.PQresultErrorField(result, CInt(bitPattern: code.value)).map { String(cString: $0) } ?? ""
    }

    /// The bytes of a column if they have the given type; nil for NULL.
    fileprivate func bytes(_ row: CInt, _ column: CInt, of types: Oid...) throws -> UnsafeRawBufferPointer? {
        guard types.contains(library.PQftype(result, column)) else { throw UnreadableRow(what: "a column") }
        guard library.PQgetisnull(result, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: library.PQgetvalue(result, row, column), count: Int(library.PQgetlength(result, row, column)))
    }
}

/// An error that the server reported.
struct ServerError: Error {
    /// The five characters of the SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html).
    let state: String
    /// The message.
    let text: String
}

/// A row of an ``Answer``. A column with another type than requested is an error.
struct Row {
    fileprivate let answer: Answer
    fileprivate let number: CInt

    /// A text.
    func text(_ column: CInt) throws -> String {
        guard let text = try optionalText(column) else { throw UnreadableRow(what: "a column") }
        return text
    }

    /// A text or NULL.
    func optionalText(_ column: CInt) throws -> String? {
        try answer.bytes(number, column, of: PostgresType.text).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number; 1 for true, and 0 for false.
    func number(_ column: CInt) throws -> Int64 {
        guard let number = try optionalNumber(column) else { throw UnreadableRow(what: "a column") }
        return number
    }

    /// A number or NULL.
    func optionalNumber(_ column: CInt) throws -> Int64? {
        let bytes = try answer.bytes(number, column, of: PostgresType.int8, PostgresType.int4, PostgresType.bool)
        guard let bytes else { return nil }
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 1: return bytes.first == 1 ? 1 : 0
        default: throw UnreadableRow(what: "a column")
        }
    }

    /// A count, clamped to the range of ``Counts``.
    func count(_ column: CInt) throws -> Int {
        min(max(Counts.all.lowerBound, Int(clamping: try number(column))), Counts.all.upperBound)
    }

    /// A count. Throws if it is outside the range of ``Counts``.
    func exactCount(_ column: CInt) throws -> Int {
        let count = Int(clamping: try number(column))
        guard Counts.all.contains(count) else { throw UnreadableRow(what: "the count \(count)") }
        return count
    }

    /// Bytes.
    func bytes(_ column: CInt) throws -> [UInt8] {
        guard let bytes = try answer.bytes(number, column, of: PostgresType.bytea) else {
            throw UnreadableRow(what: "a column")
        }
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
