import Testing

@testable import tminus

@Suite("Log lines")
struct LogOutputTests {
    @Test(
        "a value is quoted only if it is not one word, and cannot break the line",
        arguments: [
            ("tea", "tea"), ("", "\"\""), ("it's due", "\"it's due\""), ("say \"hi\"", #""say \"hi\"""#),
            ("a\nb", #""a\nb""#), ("\u{1b}[31m", #""\u{1b}[31m""#), ("C:\\x y", #""C:\\x y""#),
            ("a\u{202E}b\u{2028}", #""a\u{202e}b\u{2028}""#), ("👩\u{200D}🚀 x", "\"👩\u{200D}🚀 x\""),
        ])
    func quoted(value: String, expected: String) {
        #expect(LogOutput.quoted(value) == expected)
    }
}
