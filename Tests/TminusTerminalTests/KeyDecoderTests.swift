import Testing
import TminusTerminal
import TminusTestKit

@Suite struct KeyDecoderTests {
    private static let table: [(String, [Key])] = [
        ("q", [.character("q")]), (" s", [.character(" "), .character("s")]), ("\r", [.enter]), ("\n", [.enter]),
        ("\t", [.tab]), ("\u{1B}[A", [.up]), ("\u{1B}[B\u{1B}[C\u{1B}[D", [.down, .right, .left]),
        ("\u{1B}OA\u{1B}OH\u{1B}OF\u{1B}OM", [.up, .home, .end, .enter]), ("\u{1B}[Z", [.backTab]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
        ("\u{1B}[1;5A", [.up]), ("\u{1B}[15~", [.unknown]), ("\u{1B}x", [.unknown]),
        ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("é", [.character("é")]), ("時🎉", [.character("時"), .character("🎉")]), ("\u{7F}\u{1}", [.unknown, .unknown]),
        // Pasted text never acts as keys.
        ("\u{1B}[200~qxr\u{1B}[A\u{1B}[201~l", [.character("l")]),
        // Unrequested answers, and sequences that are cut off or endless.
        ("\u{1B}]11;rgb:ffff/ffff\u{7}q", [.character("q")]), ("\u{1B}P1$r\u{1B}\\q", [.character("q")]),
        ("\u{1B}[12\u{1B}[B", [.unknown, .down]), ("\u{1B}[<35;10;10Mq", [.unknown, .character("q")]),
        ("\u{1B}[" + String(repeating: "1;", count: 800) + "Aq", [.up, .character("q")]),
    ]

    @Test(arguments: table) func wholeSequencesDecode(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8) == keys)
    }

    @Test(arguments: table) func splitSequencesDecodeTheSame(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        var found: [Key] = []
        for byte in text.utf8 { found += decoder.decode([byte]) }
        #expect(found == keys)
    }

    @Test func loneEscapeBecomesAKeyAfterTheTimeout() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.isWaiting)
        #expect(decoder.giveUp() == [.escape])
        #expect(!decoder.isWaiting)
        #expect(decoder.giveUp().isEmpty)
        #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test func decoderRecoversFromRandomBytes() {
        var random = SeededRandom(7)
        for _ in 0..<2_000 {
            var decoder = KeyDecoder()
            _ = decoder.decode((0..<random.below(40)).map { _ in UInt8(random.below(256)) })
            // Ends whatever state it is in: a string, a paste, a sequence.
            _ = decoder.decode("\u{7}\u{1B}[201~\u{1B}\\".utf8)
            #expect(decoder.decode("mm".utf8).last == .character("m"))
        }
    }
}
