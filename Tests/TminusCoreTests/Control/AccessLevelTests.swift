import Testing

@testable import TminusCore

@Suite("Levels of access")
struct AccessLevelTests {
    @Test("each level includes those before it, and a token can have neither the first nor the last")
    func order() {
        #expect(AccessLevel.allCases == [.open, .read, .control, .edit, .socket])
        #expect(AccessLevel.allCases.shuffled().sorted() == AccessLevel.allCases)
        #expect(AccessLevel.granted == [.read, .control, .edit])
    }
}
