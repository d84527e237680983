import Testing
import TminusCore

@Suite("delivery ids")
struct DeliveryIDTests {
    /// As `sha256sum` has it of the parts, each followed by a NUL: stored ones must be found again.
    @Test(
        "are the beginning of a SHA-256 over definition, occurrence, action and sink",
        arguments: [
            (1_796_112_000_000_000_000, FiringAction.expiry, "8ad557a3684085f93c12782df306a0ff"),
            (-5, .reminder(CalendarSpan(days: 1), .before), "7855258a019077651d43f9c9f6874fe1"),
            (.min, .expiry, "c446fb43963de9ac2a2fbe39253d93ee"),
        ] as [(Int64, FiringAction, String)])
    func digest(_ nanoseconds: Int64, _ action: FiringAction, _ expected: String) throws {
        let id = DeliveryID(
            definition: try #require(DefinitionID("tea")), occurrence: Timestamp(nanoseconds: nanoseconds),
            action: action, sink: SinkKey("chat"))
        #expect(id.rawValue == expected)
        #expect(id == DeliveryID(rawValue: expected))
        #expect(id.description == expected)
    }

    @Test(
        "keep what somebody asks for as it is",
        arguments: [
            "", "no such delivery", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcde",
            "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdeg", "00000000000000000000000000000000",
        ])
    func text(_ text: String) {
        #expect(DeliveryID(rawValue: text).rawValue == text)
    }
}
