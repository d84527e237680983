/// The first 128 bits of a SHA-256, for identities that must not collide and need not be secret.
package struct Digest128: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// The digest of texts.
    package init(of parts: DigestParts) { self.init(of: parts.bytes) }

    /// The digest of raw bytes.
    package init(of bytes: [UInt8]) {
        var whole = ContentDigest()
        whole.update(bytes[...])
        let (first, second, _, _) = whole.bytes
        (high, low) = (UInt64(bigEndian: first), UInt64(bigEndian: second))
    }

    /// A digest from its text; nil if that is not 32 hexadecimal digits in lower case.
    package init?(hexadecimal text: String) {
        guard text.utf8.count == 32 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for byte in text.utf8 {
            guard let value = Self.value(byte) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | value
        }
        (self.high, self.low) = (high, low)
    }

    /// 32 hexadecimal digits.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 32) { text in
            for index in 0..<32 {
                let word = index < 16 ? high : low
                text[index] = Self.digit(UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4)) & 15)
            }
            return 32
        }
    }

    /// The first 64 bits.
    package var leadingBits: UInt64 { high }

    /// The digest of a list of texts, in hexadecimal.
    package static func hexadecimal(of parts: [String]) -> String {
        var all = DigestParts()
        for part in parts { all.add(part) }
        return Digest128(of: all).hexadecimal
    }

    /// The digest of raw bytes, in hexadecimal.
    package static func hexadecimal(of bytes: [UInt8]) -> String { Digest128(of: bytes).hexadecimal }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}

/// The texts that a digest covers. Each is followed by a NUL, so that `"ab", "c"` and `"a", "bc"` differ.
package struct DigestParts: Sendable {
    fileprivate private(set) var bytes: [UInt8] = []

    /// No texts yet.
    package init() { bytes.reserveCapacity(128) }

    /// Adds a text.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
        bytes.append(0)
    }

    /// Adds a number in decimal.
    package mutating func add(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var left = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The digits were added in reverse order. Reversing a slice would copy the whole array.
        var right = bytes.count - 1
        while left < right {
            bytes.swapAt(left, right)
            (left, right) = (left + 1, right - 1)
        }
        bytes.append(0)
    }
}
