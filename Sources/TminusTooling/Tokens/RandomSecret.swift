internal import TminusCore

/// Secrets of random bits, and the SHA-256 by which they are known again.
///
/// A secret that is made, not chosen, cannot be guessed from its SHA-256. So it needs no slow hash, and no cache of one.
package enum RandomSecret {
    /// A secret from the random numbers of the kernel, in base 32 (RFC 4648, section 6) with small letters and without padding.
    ///
    /// - Parameter bits: A multiple of 5.
    package static func make(bits: Int) -> String {
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String((0..<bits / 5).compactMap { _ in digits.randomElement() })
    }

    /// The SHA-256 of a secret: 64 hexadecimal digits in lower case.
    package static func digest(of secret: String) -> String {
        var digest = ContentDigest()
        digest.update(Array(secret.utf8)[...])
        return digest.hexadecimal
    }

    /// Whether two digests are the same, in a time that does not tell how much of them is.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var difference = UInt(bitPattern: one.utf8.count ^ other.utf8.count)
        for (left, right) in zip(one.utf8, other.utf8) { difference |= UInt(left ^ right) }
        return difference == 0
    }
}
