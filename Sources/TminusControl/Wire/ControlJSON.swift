internal import Foundation
internal import TminusCore

/// The JSON encoding of requests and answers, except items.
package enum ControlJSON {
    /// Encodes a value with its members sorted by name. Hidden characters are escaped, as in every JSON output.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONWriter.escapingHidden(Array(try encoder.encode(value)))
    }

    /// Describes a decoding error and its place in the value.
    package static func reason(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            let path = (context.codingPath + [key].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "" : "'\(path)': "
        }
        switch error {
        case .typeMismatch(let type, let context): return "\(place(context))expected \(word(for: type))"
        case .valueNotFound(let type, let context): return "\(place(context))expected \(word(for: type)), not null"
        case .keyNotFound(let key, let context): return "\(place(context, key))missing"
        case .dataCorrupted(let context) where context.debugDescription.hasPrefix("The given data was not valid"):
            return "the body is not JSON"
        case .dataCorrupted(let context): return "\(place(context))\(context.debugDescription)"
        @unknown default: return "the body is not valid"
        }
    }

    private static func word(for type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type, is Double.Type: "a number"
        default: "an object"
        }
    }
}
