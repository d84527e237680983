import Testing
import TminusCore

@Suite("Ids")
struct IdentifierTests {
    @Test(
        "an id has 1 to 64 letters, digits, dots, underscores and hyphens, and is not . or ..",
        arguments: [
            ("a", true), ("a.b", true), ("...", true), (".a", true), ("A-Z_0.9", true),
            (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
            ("", false), (".", false), ("..", false), ("a/b", false), ("a b", false), ("thé", false),
        ])
    func valid(text: String, isValid: Bool) {
        #expect((DefinitionID(text) != nil) == isValid)
    }
}
