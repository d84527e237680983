import Testing
import TminusCore

@Suite("Visible text")
struct VisibleTextTests {
    @Test(
        "hidden characters are escaped, everything else stays",
        arguments: [
            ("tea", "tea"), ("", ""), ("a\u{1B}[31mb", "a\\u{1b}[31mb"),
            ("a\u{9B}b\u{0}\u{7F}", "a\\u{9b}b\\u{0}\\u{7f}"),
            ("a\u{202E}b\u{2066}c\u{200F}", "a\\u{202e}b\\u{2066}c\\u{200f}"),
            ("\u{2028}\u{2029}\u{85}", "\\u{2028}\\u{2029}\\u{85}"),
            ("\u{E0041}\u{FEFF}\u{200B}\u{AD}", "\\u{e0041}\\u{feff}\\u{200b}\\u{ad}"),
            ("\u{E000}\u{F0000}\u{378}\u{10FFFF}", "\\u{e000}\\u{f0000}\\u{378}\\u{10ffff}"),
            ("Ü é e\u{301} 時計 🎉 \u{FE0F} \u{A0} \\u{1b}", "Ü é e\u{301} 時計 🎉 \u{FE0F} \u{A0} \\u{1b}"),
        ])
    func escapes(text: String, expected: String) {
        #expect(VisibleText.escaped(text) == expected)
        #expect(VisibleText.line(text) == expected)
        #expect(VisibleText.lines(text) == expected)
    }

    @Test("line breaks and tabs become a space in a line, stay in lines, and are escaped where the exact text matters")
    func lineBreaks() {
        #expect(VisibleText.line("a\r\nb\nc\rd\te\u{B}f") == "a b c d e\\u{b}f")
        #expect(VisibleText.lines("a\r\nb\tc\u{1B}") == "a\\u{d}\nb\tc\\u{1b}")
        #expect(VisibleText.escaped("a\r\nb\tc") == "a\\u{d}\\u{a}b\\u{9}c")
    }

    @Test(
        "a joiner stays between two visible characters beyond ASCII only",
        arguments: [
            ("👩\u{200D}🚀", true), ("❤\u{FE0F}\u{200D}🔥", true), ("ی\u{200C}خ", true), ("क\u{94D}\u{200D}ष", true),
            ("a\u{200D}b", false), ("é\u{200D}b", false), ("\u{200D}é", false), ("é\u{200C}", false),
            ("é\u{200D}\u{200D}é", false), ("é\u{200D}\u{202E}", false),
        ])
    func joiners(text: String, stays: Bool) {
        #expect(VisibleText.line(text).unicodeScalars.elementsEqual(text.unicodeScalars) == stays)
        #expect(VisibleText.line(text).unicodeScalars.contains { ["\u{200C}", "\u{200D}"].contains($0) } == stays)
        #expect((JSONWriter.escaped(text) == text) == stays)
    }

    @Test("every character is either shown or escaped, and none of the categories C, Zl and Zp is shown")
    func all() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isHidden: Bool
            switch scalar.properties.generalCategory {
            case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
                isHidden = true
            default: isHidden = false
            }
            if VisibleText.isHidden(scalar) != isHidden { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test("JSON of an encoder gets the hidden characters in its strings escaped")
    func encoded() {
        let json = "{\"a\":\"x\u{202E}y\u{E0041}\u{7F}é\"}"
        let expected = #"{"a":"x\u202ey\udb40\udc41\u007fé"}"#
        #expect(String(decoding: JSONWriter.escapingHidden(Array(json.utf8)), as: UTF8.self) == expected)
        #expect(JSONWriter.escapingHidden(Array("{}".utf8)) == Array("{}".utf8))
    }
}
