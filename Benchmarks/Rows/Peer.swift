internal import Glibc

/// A program that measures the same without tminus.
package enum Peer {
    /// Why it has nothing to say.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The numbers that a command prints in a line; throws ``Failure`` if it prints none.
    package static func numbers(_ command: String) throws -> [Double] {
        guard let stream = popen(command, "r") else { throw Failure(description: "cannot be run: \(command)") }
        defer { pclose(stream) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, stream) != nil else { throw Failure(description: "says nothing: \(command)") }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard !numbers.isEmpty else { throw Failure(description: "says \(text): \(command)") }
        return numbers
    }
}
