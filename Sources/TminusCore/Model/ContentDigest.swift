internal import Crypto

/// A SHA-256 over content that comes in parts (FIPS 180-4).
package struct ContentDigest: Sendable {
    private var hash = SHA256()

    /// The digest of no bytes.
    package init() {}

    /// Adds bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// The digest of all bytes so far: 64 hexadecimal digits in lower case.
    package var hexadecimal: String {
        hash.finalize().map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
