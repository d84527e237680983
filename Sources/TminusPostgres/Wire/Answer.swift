internal import CPostgres
import TminusStorage

/// The answer of the server to one statement. Confined to the thread of its connection.
final class Answer {
    private let result: OpaquePointer
    private let library: tminus_libpq
    /// The row that is read.
    private var row: CInt = 0

    init(_ result: OpaquePointer, _ library: tminus_libpq) {
        self.result = result
        self.library = library
    }

    deinit { library.PQclear(result) }

    /// How the statement ended.
    var status: ExecStatusType { library.PQresultStatus(result) }

    /// The number of rows that the statement changed.
    var changed: Int { library.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Passes each row to `body`.
    func each(_ body: (StoredRow) throws -> Void) throws {
        for row in 0..<library.PQntuples(result) {
            self.row = row
            try body(StoredRow(self))
        }
    }

    /// The error, if the statement failed.
    var error: ServerError? {
        guard status == PGRES_FATAL_ERROR else { return nil }
        return ServerError(state: field("C"), text: field("M"))
    }

    private func field(_ code: Unicode.Scalar) -> String {
        library.PQresultErrorField(result, CInt(bitPattern: code.value)).map { String(cString: $0) } ?? ""
    }

    /// The bytes of a column if they have the given type; nil for NULL.
    private func bytes(_ column: CInt, of types: Oid...) throws -> UnsafeRawBufferPointer? {
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

extension Answer: RowReader {
    func text(_ column: CInt) throws -> String? {
        try bytes(column, of: PostgresType.text).map { String(decoding: $0, as: UTF8.self) }
    }

    func number(_ column: CInt) throws -> Int64? {
        let bytes = try bytes(column, of: PostgresType.int8, PostgresType.int4, PostgresType.bool)
        guard let bytes else { return nil }
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 1: return bytes.first == 1 ? 1 : 0
        default: throw UnreadableRow(what: "a column")
        }
    }

    func bytes(_ column: CInt) throws -> [UInt8]? { try bytes(column, of: PostgresType.bytea).map { [UInt8]($0) } }
}
