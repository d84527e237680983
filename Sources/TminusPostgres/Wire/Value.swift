internal import CPostgres
import TminusStorage

/// A parameter of a statement in PostgreSQL's binary form.
struct Value {
    /// The type: the object id in `pg_type`, which is part of the protocol (pg_type.dat).
    let type: Oid
    /// The content; nil for NULL.
    let bytes: [UInt8]?

    /// The form of a parameter.
    init(_ parameter: Parameter) {
        switch parameter {
        case .number(let number):
            type = PostgresType.int8
            // Eight bytes, the highest first.
            bytes = number.map { number in withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
        case .text(let text):
            type = PostgresType.text
            bytes = text.map { Self.bytes(of: $0) }
        case .bytes(let binary):
            type = PostgresType.bytea
            bytes = binary
        }
    }

    /// A text in UTF-8. PostgreSQL stores no NUL in a text, so U+FFFD takes its place.
    private static func bytes(of text: String) -> [UInt8] {
        let bytes = [UInt8](text.utf8)
        guard bytes.contains(0) else { return bytes }
        return [UInt8](text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : String($0) }.joined().utf8)
    }
}

/// The types that the statements use.
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int4: Oid = 23
    static let text: Oid = 25
}
