import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("rendering of diagnostics")
struct RenderingTests {
    private func diagnostic(_ line: String, column: Int, length: Int, _ message: String = "wrong") -> Diagnostic {
        Diagnostic(
            .error, message, at: SourceLocation(file: "a.yaml", line: 7, column: column), length: length,
            sourceLine: line)
    }

    @Test("the caret line underlines the place")
    func caret() {
        #expect(
            DiagnosticText.render(
                diagnostic("    remnd: 5m", column: 5, length: 5, "unknown key 'remnd', did you mean 'remind'?"))
                == "a.yaml:7:5: error: unknown key 'remnd', did you mean 'remind'?\n    remnd: 5m\n    ^~~~~")
    }

    @Test("the caret stays aligned after tabs, wide characters and escaped characters")
    func alignment() {
        #expect(DiagnosticText.render(diagnostic("\ta x", column: 4, length: 1)).hasSuffix("\n\ta x\n\t  ^"))
        #expect(DiagnosticText.render(diagnostic("お茶 x", column: 4, length: 1)).hasSuffix("\nお茶 x\n     ^"))
        #expect(DiagnosticText.render(diagnostic("\u{1B} x", column: 3, length: 1)).hasSuffix("\n\\u{1b} x\n       ^"))
    }

    @Test("a location beyond the end of the line has a caret there")
    func behindEnd() {
        #expect(DiagnosticText.render(diagnostic("ab", column: 3, length: 1)).hasSuffix("\nab\n  ^"))
        #expect(DiagnosticText.render(diagnostic("", column: 1, length: 9)) == "a.yaml:7:1: error: wrong")
    }

    @Test("a long line is cut around the location")
    func longLine() {
        let line = String(repeating: "x", count: 500) + "HERE" + String(repeating: "y", count: 500)
        let lines = DiagnosticText.render(diagnostic(line, column: 501, length: 4)).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("...x") && lines[1].hasSuffix("y...") && lines[1].count == 106)
        #expect(lines[1].dropFirst(lines[2].count - 4).hasPrefix("HERE"))
        #expect(lines[2].hasSuffix(" ^~~~"))
    }

    @Test("text of a hostile file does not reach the terminal unescaped")
    func escapes() {
        var diagnostic = diagnostic("\u{1B}[2J\u{202E}", column: 1, length: 1, "unknown '\u{1B}]0;x\u{07}'")
        diagnostic.location.file = "a\nb.yaml"
        let text = DiagnosticText.render(diagnostic)
        #expect(text.split(separator: "\n").count == 3)
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 7 || $0.value == 0x202E })
    }

    @Test("JSON has locations, ends and notes, and is escaped")
    func json() {
        var diagnostic = diagnostic("x", column: 5, length: 3, "a \"b\"\n\u{1}")
        diagnostic.notes = [Diagnostic(.note, "there", at: SourceLocation(file: "b.yaml"))]
        #expect(
            DiagnosticFormats.json([diagnostic]) == """
                [
                  {"severity": "error", "message": "a \\"b\\"\\n\\u0001", "file": "a.yaml", "line": 7, "column": 5, \
                "end-column": 8, "notes": [{"severity": "note", "message": "there", "file": "b.yaml", "notes": []}]}
                ]

                """)
        #expect(DiagnosticFormats.json([]) == "[]\n")
    }

    @Test("the GitHub format escapes what would end a command or a property")
    func github() {
        var diagnostic = diagnostic("x", column: 5, length: 3, "50%: a,b\nc")
        diagnostic.location.file = "a:b,c%.yaml"
        #expect(
            DiagnosticFormats.github([diagnostic])
                == "::error file=a%3Ab%2Cc%25.yaml,line=7,col=5,endColumn=8::50%25: a,b%0Ac\n")
    }
}
