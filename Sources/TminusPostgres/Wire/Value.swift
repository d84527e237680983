internal import CPostgres
import TminusCore

/// A typed parameter of a statement, in PostgreSQL's binary form.
struct Value {
    /// The type: the object id in `pg_type`, which is part of the protocol (pg_type.dat).
    let type: Oid
    /// The content; nil for NULL.
    let bytes: [UInt8]?

    /// An `int8`: eight bytes, the highest first.
    init(number: Int64?) {
        type = PostgresType.int8
        bytes = number.map { number in withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
    }

    /// A `text` in UTF-8. PostgreSQL stores no NUL in a text, so U+FFFD takes its place.
    init(text: String?) {
        type = PostgresType.text
        bytes = text.map { text in
            let bytes = [UInt8](text.utf8)
            guard bytes.contains(0) else { return bytes }
            return [UInt8](text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : String($0) }.joined().utf8)
        }
    }

    /// An `int8[]` of one dimension: its header, and each number after its length.
    init(list: [Int64]?) {
        type = PostgresType.int8Array
        bytes = list.map { list in
            let header = [1, 0, CInt(bitPattern: PostgresType.int8), CInt(clamping: list.count), 1]
            let start = header.flatMap { number in withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
            return list.reduce(into: start) { bytes, number in
                bytes += [0, 0, 0, 8]
                withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
            }
        }
    }

    /// A `bytea`.
    init(binary: [UInt8]?) {
        type = PostgresType.bytea
        bytes = binary
    }
}

/// The types that the statements use.
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int4: Oid = 23
    static let text: Oid = 25
    static let int8Array: Oid = 1016
}

/// What a statement takes as a parameter.
protocol Parameter {
    /// A value as a parameter; NULL for nil.
    static func value(_ value: Self?) -> Value
}

extension Parameter {
    fileprivate var parameter: Value { Self.value(self) }
}

extension Int64: Parameter {
    static func value(_ value: Int64?) -> Value { Value(number: value) }
}

extension Int: Parameter {
    static func value(_ value: Int?) -> Value { Value(number: value.map { Int64($0) }) }
}

extension Timestamp: Parameter {
    static func value(_ value: Timestamp?) -> Value { Value(number: value?.nanoseconds) }
}

extension String: Parameter {
    static func value(_ value: String?) -> Value { Value(text: value) }
}

extension [UInt8]: Parameter {
    static func value(_ value: [UInt8]?) -> Value { Value(binary: value) }
}

/// A list of numbers.
struct Numbers: Parameter {
    let list: [Int64]

    static func value(_ value: Numbers?) -> Value { Value(list: value?.list) }
}

extension Optional: Parameter where Wrapped: Parameter {
    static func value(_ value: Wrapped??) -> Value { Wrapped.value(value.flatMap { $0 }) }
}

/// The values of a statement, in the order of its parameters.
func values<each Item: Parameter>(_ items: repeat each Item) -> [Value] {
    var values: [Value] = []
    for item in repeat each items { values.append(item.parameter) }
    return values
}
