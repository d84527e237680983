package import TminusCore

extension MappingReader {
    /// The path of a file as written.
    package func path(_ key: String) -> String? {
        guard let path = text(key) else { return nil }
        guard !path.isEmpty, path.utf8.last != UInt8(ascii: "/"), !path.utf8.contains(0) else {
            error("'\(key)' must be the path of a file", at: key)
            return nil
        }
        return path
    }

    /// A number of bytes from 1 to 2^62, such as `10 MiB`.
    package func byteCount(_ key: String) -> Int? {
        guard let text = text(key) else { return nil }
        guard let count = ByteCount.parse(text) else {
            error("'\(key)' must be a size such as 500 kB or 10 MiB, not '\(text)'", at: key)
            return nil
        }
        return count
    }
}

/// A number of bytes with a unit (IEC 80000-13: `kB` is 1,000 bytes and `KiB` 1,024).
enum ByteCount {
    private static let units: [String: Double] = [
        "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1_024, "MiB": 1_048_576,
        "GiB": 1_073_741_824, "TiB": 1_099_511_627_776,
    ]

    /// The bytes that `text` means, rounded down; nil if it is not a number with a unit or not from 1 to 2^62.
    static func parse(_ text: String) -> Int? {
        let words = text.split { $0.isWhitespace }
        let joined = words.joined()
        let digits = joined.prefix { ("0"..."9").contains($0) || $0 == "." }
        guard words.count <= 2, let first = digits.first, let last = digits.last, first != ".", last != ".",
            let number = Double(digits), let size = units[String(joined[digits.endIndex...])]
        else { return nil }
        let count = number * size
        return count >= 1 && count <= 0x1p62 ? Int(count) : nil
    }
}
