import Testing
import TminusCore

@testable import TminusDaemon

@Suite("Mailbox")
struct MailboxTests {
    private func set(_ id: String) -> ScheduleInput { .definitions(DefinitionSet([.timer(id)], sinks: [])) }

    private let ended = ScheduleInput.ended([EndedExpiry(definition: .test("t"), occurrence: at(0))])

    @Test("of several definitions that wait only the last is left, the others keep their order")
    func definitions() {
        let mailbox = Mailbox<ScheduleInput>()
        for input in [set("a"), .due, ended, set("b"), .due, set("c"), ended] { mailbox.send(input) }
        #expect(mailbox.takeAll() == [.due, ended, .due, set("c"), ended])
        #expect(mailbox.takeAll().isEmpty)
    }

    @Test("changes that wait become one, and part of all definitions that wait")
    func changes() {
        func changes(_ id: String) -> ScheduleInput {
            .changes(DefinitionSet([.timer(id)], sinks: []), of: [.test(id)])
        }
        let mailbox = Mailbox<ScheduleInput>()
        for input in [changes("a"), ended, changes("b")] { mailbox.send(input) }
        let both = ScheduleInput.changes(DefinitionSet([.timer("b")], sinks: []), of: [.test("a"), .test("b")])
        #expect(mailbox.takeAll() == [ended, both])
        for input in [set("a"), ended, changes("b")] { mailbox.send(input) }
        #expect(mailbox.takeAll() == [ended, set("b")])
    }

    @Test("hints do not pile up")
    func hints() {
        let scheduler = Mailbox<ScheduleInput>()
        for _ in 0..<1_000 { scheduler.send(.due) }
        #expect(scheduler.takeAll() == [.due])
        for number in 0..<100 {
            scheduler.send(.due)
            scheduler.send(set("t\(number)"))
        }
        #expect(scheduler.takeAll() == [.due, set("t99")])
        let dispatcher = Mailbox<DispatcherMessage>()
        for number in 0..<1_000 {
            dispatcher.send(.work)
            dispatcher.send(.sinks([SinkKey("s"): "\(number)"]))
        }
        let left = dispatcher.takeAll()
        #expect(left.count == 2)
        guard case .sinks(let last)? = left.last else {
            Issue.record("\(left)")
            return
        }
        #expect(last == [SinkKey("s"): "999"])
    }

    @Test("a message sent by any of many tasks is taken, and its signal is not lost")
    func concurrentSenders() async {
        let mailbox = Mailbox<ScheduleInput>()
        var taken = 0
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<500 { mailbox.send(ended) } } }
            for await _ in mailbox.signals {
                taken += mailbox.takeAll().count
                if taken == 4_000 { break }
            }
        }
        #expect(taken == 4_000)
    }
}
