internal import Crypto

/// The first 128 bits of a SHA-256, in hexadecimal: for identities that must not collide and need not be secret.
package enum Digest128 {
    /// The digest of a list of texts. Each is followed by a NUL, so that `["ab", "c"]` and `["a", "bc"]` differ.
    package static func hexadecimal(of parts: [String]) -> String { hexadecimal(digest(of: parts)) }

    /// The digest of raw bytes.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        hexadecimal(SHA256.hash(data: bytes))
    }

    /// The first 64 bits of the digest of a list of texts.
    package static func leadingBits(of parts: [String]) -> UInt64 {
        digest(of: parts).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func digest(of parts: [String]) -> SHA256.Digest {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count + 1 })
        for part in parts {
            bytes.append(contentsOf: part.utf8)
            bytes.append(0)
        }
        return SHA256.hash(data: bytes)
    }

    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        String(unsafeUninitializedCapacity: 32) { text in
            for (index, byte) in digest.prefix(16).enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 32
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
