internal import CNettle

/// An HMAC-SHA-256 (RFC 2104): who has the key can tell from it that the content is the sender's.
package struct KeyedDigest: Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// The digest of content with a key of any length.
    package init(of content: [UInt8], key: [UInt8]) {
        var context = hmac_sha256_ctx()
        key.withUnsafeBufferPointer { nettle_hmac_sha256_set_key(&context, $0.count, $0.baseAddress) }
        content.withUnsafeBufferPointer { nettle_hmac_sha256_update(&context, $0.count, $0.baseAddress) }
        bytes = [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { bytes, count in
            tminus_hmac_sha256_digest(&context, bytes.baseAddress)
            count = Int(SHA256_DIGEST_SIZE)
        }
    }
}
