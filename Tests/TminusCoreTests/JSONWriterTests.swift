import Testing
import TminusCore

@Suite("JSON writer")
struct JSONWriterTests {
    private func text(_ value: String) -> String {
        var writer = JSONWriter()
        writer.object { $0.member("k", value) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "exactly the required characters are escaped",
        arguments: [
            ("", ""), ("plain", "plain"), ("a\"b\\c", "a\\\"b\\\\c"), ("\n\r\t", "\\n\\r\\t"),
            ("\u{0}\u{1F}", "\\u0000\\u001f"),
            ("\u{7F}\u{85}\u{9F}", "\\u007f\\u0085\\u009f"), ("\u{A0}é/ü", "\u{A0}é/ü"), ("\u{2028}🎉", "\\u2028🎉"),
            ("\u{202E}\u{E0041}\u{AD}", "\\u202e\\udb40\\udc41\\u00ad"),
            ("\"", "\\\""), ("x\u{80}", "x\\u0080"),
        ])
    func escapes(value: String, expected: String) {
        #expect(text(value) == "{\"k\":\"\(expected)\"}")
    }

    @Test("objects nest, with commas between members only")
    func nests() {
        var writer = JSONWriter()
        writer.object {
            $0.member("a") { _ in }
            $0.member("b") { $0.member("c", 1) }
            $0.member("d", true)
            $0.member(userKey: "e\"", "f")
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":{},"b":{"c":1},"d":true,"e\"":"f"}"#)
    }

    @Test(
        "seconds are exact decimals",
        arguments: [
            (0, "0"), (1, "0.000000001"), (-1, "-0.000000001"), (1_500_000_000, "1.5"), (90_000_000_000, "90"),
            (-86_400_000_000_000, "-86400"), (100_000_000_000, "100"), (Int64.max, "9223372036.854775807"),
            (Int64.min, "-9223372036.854775808"),
        ] as [(Int64, String)])
    func seconds(nanoseconds: Int64, expected: String) {
        #expect(DecimalSeconds.text(nanoseconds) == expected)
    }
}
