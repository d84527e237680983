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
        var hash = SHA256()
        for part in parts {
            hash.update(data: Array(part.utf8))
            hash.update(data: [0])
        }
        return hash.finalize()
    }

    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for byte in digest.prefix(16) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
