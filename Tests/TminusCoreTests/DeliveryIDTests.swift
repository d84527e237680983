import Testing

@testable import TminusCore

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
        #expect(id == DeliveryID(expected))
        #expect(id.description == expected)
    }

    @Test("are the same if their texts are, whatever they were made of")
    func sameness() throws {
        let tea = try #require(DefinitionID("tea"))
        func id(_ action: FiringAction, at seconds: Int64 = 7, sink: String = "chat") -> DeliveryID {
            DeliveryID(
                definition: tea, occurrence: Timestamp(seconds: seconds), action: action, sink: SinkKey(sink))
        }
        // The kind of a test is not part of its text.
        let tests = [FiringAction.Kind.expiry, .reminder].map { id(.test(of: $0, at: Timestamp(seconds: 9))) }
        #expect(tests[0] == tests[1] && Set(tests).count == 1)
        #expect(id(.expiry) == id(.expiry))
        let others = [id(.expiry), id(.expiry, at: 8), id(.expiry, sink: "mail"), id(.snoozed(until: .distantPast))]
        #expect(Set(others).count == others.count)
        for other in others {
            #expect(DeliveryID(other.rawValue) == other)
        }
    }

    @Test("follow from the firing and each of its sinks", arguments: [FiringAction.expiry, .missed(.tooLate)])
    func targets(action: FiringAction) throws {
        let tea = try #require(DefinitionID("tea"))
        let payload = Payload(
            id: "tea", kind: .timer, name: "tea", description: nil, labels: [:], due: "", timezone: "UTC", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: ""), scheduled: "", fired: "", late: 0, isCatchUp: false,
            occurrence: "", message: "")
        let firing = Firing(
            definition: tea, occurrence: Timestamp(seconds: 7), action: action, due: Timestamp(seconds: 7),
            payload: payload, sinks: [SinkKey("chat"), SinkKey("mail")])
        for target in firing.targets {
            let id = DeliveryID(
                definition: tea, occurrence: firing.occurrence, action: action, sink: target.sink)
            #expect(target.delivery == id && Delivery(firing, to: target).id == id)
        }
        #expect(firing.targets[0].delivery != firing.targets[1].delivery)
    }

    @Test(
        "are not read from anything but 32 hexadecimal digits in lower case",
        arguments: [
            "", "no such delivery", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcde",
            "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdeg",
        ])
    func text(_ text: String) {
        #expect(DeliveryID(text) == nil)
    }
}
