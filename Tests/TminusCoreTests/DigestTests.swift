import Testing

@testable import TminusCore

@Suite("digests")
struct DigestTests {
    private static let twoBlocks =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

    @Test(
        "of content are those of NIST's examples of SHA-256",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (twoBlocks, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
        ])
    func examples(content: String, expected: String) {
        var digest = ContentDigest()
        digest.update(Array(content.utf8)[...])
        #expect(digest.hexadecimal == expected)
        #expect(Digest128.hexadecimal(of: Array(content.utf8)) == expected.prefix(32))
    }

    @Test("of a million letters are the same in parts of any length", arguments: [1_000_000, 4096, 64, 63])
    func parts(length: Int) {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        var digest = ContentDigest()
        for start in stride(from: 0, to: letters.count, by: length) {
            digest.update(letters[start..<min(start + length, letters.count)])
        }
        #expect(digest.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("can be read, and go on with more content")
    func readTwice() {
        var digest = ContentDigest()
        digest.update(Array("ab".utf8)[...])
        #expect(digest.hexadecimal == digest.hexadecimal)
        let copy = digest
        digest.update(Array("c".utf8)[...])
        #expect(digest.hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(copy.hexadecimal != digest.hexadecimal)
    }

    /// Case 5 is a truncated one.
    @Test(
        "with a key are those of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                [UInt8](1...25), [UInt8](repeating: 0xcd, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131),
                Array(
                    """
                    This is a test using a larger than block-size key and a larger than block-size data. \
                    The key needs to be hashed before being used by the HMAC algorithm.
                    """.utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ] as [([UInt8], [UInt8], String)])
    func keyed(key: [UInt8], content: [UInt8], expected: String) {
        let hexadecimal = KeyedDigest(of: content, key: key).bytes.map { byte in
            String(byte / 16, radix: 16) + String(byte % 16, radix: 16)
        }
        #expect(hexadecimal.joined() == expected)
    }
}
