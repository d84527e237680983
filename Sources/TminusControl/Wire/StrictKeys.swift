/// The members a request may have. An unknown name is an error, so misspellings are reported.
protocol StrictKeys: CodingKey, CaseIterable, RawRepresentable where RawValue == String {}

extension Decoder {
    /// Returns the members of an object. Throws on an unknown one.
    func strictContainer<Key: StrictKeys>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        for key in try container(keyedBy: AnyKey.self).allKeys where Key(rawValue: key.stringValue) == nil {
            let known = Key.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "unknown member '\(key.stringValue)'; expected one of \(known)")
            )
        }
        return try container(keyedBy: type)
    }
}

/// A key with any name.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
