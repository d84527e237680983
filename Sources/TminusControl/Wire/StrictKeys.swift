/// The members that a request may have. A slip in a name is told, not passed over.
protocol StrictKeys: CodingKey, CaseIterable, RawRepresentable where RawValue == String {}

extension Decoder {
    /// The members of an object. Errors: one that is not known.
    func strictContainer<Key: StrictKeys>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        for key in try container(keyedBy: AnyKey.self).allKeys where Key(rawValue: key.stringValue) == nil {
            let known = Key.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "unknown member '\(key.stringValue)'; there are \(known)")
            )
        }
        return try container(keyedBy: type)
    }
}

/// Any name of a member.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
