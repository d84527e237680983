internal import CNettle

/// A SHA-256 over content that comes in parts (FIPS 180-4).
package struct ContentDigest: Sendable {
    private var context = sha256_ctx()

    /// The digest of no bytes.
    package init() { nettle_sha256_init(&context) }

    /// Adds bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }

    /// The digest of all bytes so far: 64 hexadecimal digits in lower case.
    package var hexadecimal: String {
        withUnsafeBytes(of: bytes) { digest in
            digest.map { byte in
                let digits = String(byte, radix: 16)
                return digits.utf8.count == 1 ? "0\(digits)" : digits
            }.joined()
        }
    }

    /// The digest of all bytes so far: 32 bytes, as they are in memory.
    var bytes: (UInt64, UInt64, UInt64, UInt64) {
        // To read the digest ends the context.
        var ended = context
        var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &digest) { bytes in
            tminus_sha256_digest(&ended, bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        }
        return digest
    }
}
