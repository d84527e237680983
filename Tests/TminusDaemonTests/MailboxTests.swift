import Testing
import TminusCore

@testable import TminusDaemon

@Suite("Mailbox")
struct MailboxTests {
    private let mailbox = Mailbox<EngineInput>()

    private func set(_ id: String) -> DefinitionSet { DefinitionSet([.timer(id)], sinks: []) }

    private func definitions(_ id: String) -> EngineInput { .schedule(.definitions(set(id))) }

    private func changes(_ id: String) -> EngineInput { .schedule(.changes(set(id), of: [.test(id)])) }

    private func request(_ ticket: UInt64) -> EngineInput { .request(.page(from: 0, limit: 10), ticket: ticket) }

    /// Sends these, and takes what is left.
    private func left(of inputs: EngineInput...) -> [String] {
        for input in inputs { mailbox.send(input) }
        return mailbox.takeAll().map(\.short)
    }

    @Test("new definitions replace those that wait")
    func definitions() {
        #expect(
            left(of: definitions("a"), request(1), definitions("b"), .stop, definitions("c"), request(2))
                == ["request 1", "stop", "definitions c", "request 2"])
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test("changes that wait become one, and complete definitions stay complete")
    func changes() {
        #expect(left(of: changes("a"), request(1), changes("b")) == ["request 1", "changes b of a b"])
        #expect(left(of: definitions("a"), request(1), changes("b")) == ["request 1", "definitions b"])
        #expect(left(of: changes("a"), definitions("b")) == ["definitions b"])
    }

    @Test("wake-ups and hints do not pile up")
    func hints() {
        for number in 0..<1_000 {
            mailbox.send(.wake)
            mailbox.send(.hint)
            mailbox.send(definitions("t\(number)"))
        }
        #expect(mailbox.takeAll().map(\.short) == ["wake", "hint", "definitions t999"])
    }

    @Test("all other inputs keep their order")
    func order() {
        let id = DeliveryID(definition: .test("t"), occurrence: at(0), action: .expiry, sink: SinkKey("s"))
        let committed = EngineInput.committed(.success(Committed()))
        let discarded = EngineInput.discarded(Discarded(deliveries: [id]))
        #expect(
            left(of: discarded, request(1), committed, request(2), .giveUp, discarded, .stop)
                == ["discarded", "request 1", "committed", "request 2", "give up", "discarded", "stop"])
    }

    @Test("inputs of many tasks all arrive, and no signal is lost")
    func concurrentSenders() async {
        var taken = 0
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for number in UInt64(0)..<500 { mailbox.send(request(number)) } } }
            for await _ in mailbox.signals {
                taken += mailbox.takeAll().count
                if taken == 4_000 { break }
            }
        }
        #expect(taken == 4_000)
    }
}

extension EngineInput {
    fileprivate var short: String {
        switch self {
        case .wake: "wake"
        case .ping: "ping"
        case .hint: "hint"
        case .storeAnswers: "answers"
        case .schedule(.definitions(let set, _)): "definitions \(Self.list(set.definitions.keys))"
        case .schedule(.changes(let set, let ids)): "changes \(Self.list(set.definitions.keys)) of \(Self.list(ids))"
        case .schedule: "schedule"
        case .request(_, let ticket): "request \(ticket)"
        case .ended: "ended"
        case .committed: "committed"
        case .discarded: "discarded"
        case .others: "others"
        case .stop: "stop"
        case .giveUp: "give up"
        case .abandon: "abandon"
        }
    }

    private static func list(_ ids: some Sequence<DefinitionID>) -> String {
        ids.map(\.rawValue).sorted().joined(separator: " ")
    }
}
