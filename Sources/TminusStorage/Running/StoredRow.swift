package import TminusCore

/// The columns of the row that a store has just read, counted from 0. A column with another type than requested, as in a
/// damaged file, is an error.
package protocol RowReader: AnyObject {
    /// A text or NULL.
    func text(_ column: CInt) throws -> String?
    /// A number or NULL. The number of true is 1, and that of false is 0.
    func number(_ column: CInt) throws -> Int64?
    /// Bytes or NULL.
    func bytes(_ column: CInt) throws -> [UInt8]?
}

/// A row of a store. It is valid only during the call that it is passed to.
package struct StoredRow {
    private let reader: any RowReader

    /// The row that a reader is at.
    package init(_ reader: any RowReader) { self.reader = reader }

    /// A text.
    package func text(_ column: CInt) throws -> String { try known(optionalText(column)) }

    /// A text or NULL.
    package func optionalText(_ column: CInt) throws -> String? { try reader.text(column) }

    /// A number; 1 for true, and 0 for false.
    package func number(_ column: CInt) throws -> Int64 { try known(optionalNumber(column)) }

    /// A number or NULL.
    package func optionalNumber(_ column: CInt) throws -> Int64? { try reader.number(column) }

    /// Bytes.
    package func bytes(_ column: CInt) throws -> [UInt8] { try known(reader.bytes(column)) }

    /// A count, clamped to the range of ``Counts``.
    package func count(_ column: CInt) throws -> Int {
        min(max(Counts.all.lowerBound, Int(clamping: try number(column))), Counts.all.upperBound)
    }

    /// A count. Throws if it is outside the range of ``Counts``.
    package func exactCount(_ column: CInt) throws -> Int {
        let count = Int(clamping: try number(column))
        guard Counts.all.contains(count) else { throw UnreadableRow(what: "the count \(count)") }
        return count
    }

    /// The id of a definition.
    package func definition(_ column: CInt) throws -> DefinitionID {
        let text = try text(column)
        guard let id = DefinitionID(text) else { throw UnreadableRow(what: "the definition id '\(text)'") }
        return id
    }

    /// An instant.
    package func instant(_ column: CInt) throws -> Timestamp { Timestamp(nanoseconds: try number(column)) }

    /// An instant, or none.
    package func optionalInstant(_ column: CInt) throws -> Timestamp? {
        try optionalNumber(column).map { Timestamp(nanoseconds: $0) }
    }

    /// One of several words.
    package func word<Word: RawRepresentable>(
        _ column: CInt, _: Word.Type
    ) throws -> Word where Word.RawValue == String {
        let text = try text(column)
        guard let word = Word(rawValue: text) else { throw UnreadableRow(what: "the word '\(text)'") }
        return word
    }

    private func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw UnreadableRow(what: "a column") }
        return value
    }
}
