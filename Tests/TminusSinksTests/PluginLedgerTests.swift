import Testing
import TminusCore

@testable import TminusSinks

/// The decisions about one process of a plug-in, on a clock of the test's own.
@Suite("Ledger of a plug-in")
struct PluginLedgerTests {
    private let start = ContinuousClock.now
    private var ledger = PluginLedger(
        PluginSettings(
            program: "/p", directory: "/", timeout: .seconds(10), startLimit: .seconds(5), maxConcurrent: 2))

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private mutating func say(_ text: String, at seconds: Int) -> [PluginLedger.Effect] {
        ledger.receive(Array(text.utf8), now: at(seconds))
    }

    private mutating func submit(_ ticket: Int, id: String? = nil, at seconds: Int) -> [PluginLedger.Effect] {
        ledger.submit(ticket, id: id ?? "d\(ticket)", line: [UInt8(ticket)], now: at(seconds))
    }

    @Test("nothing is sent before the plug-in is ready, and never more than both sides allow")
    mutating func slots() {
        for ticket in 1...3 { #expect(submit(ticket, at: 0) == []) }
        #expect(say(#"{"ready":1,"max-concurrent":100}"#, at: 1) == [.send([1]), .send([2])])
        #expect(say(#"{"id":"d2","outcome":"delivered"}"#, at: 2) == [.settle(2, .success(.empty)), .send([3])])
        #expect(submit(4, at: 2) == [])
    }

    @Test("a plug-in that names no number takes one at a time")
    mutating func oneAtATime() {
        for ticket in 1...2 { #expect(submit(ticket, at: 0) == []) }
        #expect(say(#"{"ready":1}"#, at: 1) == [.send([1])])
    }

    @Test("a silent plug-in is ended, one that answers others is not, one that owes all its slots is")
    mutating func expiry() {
        _ = say(#"{"ready":1,"max-concurrent":2}"#, at: 0)
        _ = submit(1, at: 1)
        _ = submit(2, at: 1)
        #expect(ledger.deadline(of: 1) == at(11))
        #expect(ledger.expire(1, now: at(10)) == [])
        #expect(say(#"{"id":"d2","outcome":"delivered"}"#, at: 5).first == .settle(2, .success(.empty)))
        let late = DeliveryError.transient("the plug-in gave no answer within 10 s")
        #expect(ledger.expire(1, now: at(11)) == [.settle(1, .failure(late))])
        #expect(ledger.deadline(of: 1) == nil)
        // The late one still has its slot.
        #expect(submit(3, at: 12) == [.send([3])])
        #expect(submit(4, at: 12) == [])
        #expect(ledger.expire(3, now: at(22)) == [.settle(3, .failure(late)), .end(.silent(.seconds(10)))])
    }

    @Test("an answer that comes late frees its slot and is no nonsense")
    mutating func lateAnswer() {
        _ = say(#"{"ready":1}"#, at: 0)
        _ = submit(1, at: 1)
        _ = ledger.cancel(1)
        #expect(submit(2, at: 2) == [])
        #expect(say(#"{"id":"d1","outcome":"delivered"}"#, at: 3) == [.send([2])])
        #expect(say(#"{"id":"d1","outcome":"delivered"}"#, at: 3).count == 1)
    }

    @Test("a delivery that gets no slot in time reports that")
    mutating func busy() {
        _ = say(#"{"ready":1}"#, at: 0)
        _ = submit(1, at: 1)
        _ = submit(2, at: 1)
        #expect(ledger.deadline(of: 2) == at(16))
        _ = ledger.cancel(1)
        #expect(
            ledger.expire(2, now: at(16)) == [
                .settle(2, .failure(.transient("the plug-in was busy for 10 s"))), .end(.owing(1)),
            ])
    }

    @Test("invalid lines are reported; too many without an answer end the process")
    mutating func nonsense() {
        _ = say(#"{"ready":1}"#, at: 0)
        for round in 0..<2 {
            for _ in 1..<PluginLedger.nonsenseLimit {
                #expect(say("[]", at: 1) == [.warn("wrote a line that is no answer: '[]'")])
            }
            guard round == 0 else { break }
            _ = submit(1, at: 1)
            #expect(say(#"{"id":"d1","outcome":"delivered"}"#, at: 1).count == 1)
        }
        #expect(say("\u{1b}[1m", at: 1) == [.end(.invalidLines("wrote a line that is no answer: '\\u{1b}[1m'"))])
        #expect(say("  \r", at: 1) == [])
        #expect(say("[]", at: 1) == [], "nothing more is parsed")
    }

    @Test("when the process ends, all that is open can be tried again")
    mutating func failure() {
        _ = say(#"{"ready":1}"#, at: 0)
        for ticket in 1...3 { _ = submit(ticket, at: 1) }
        let error = DeliveryError.transient("gone")
        #expect(ledger.fail(error) == (1...3).map { .settle($0, .failure(error)) })
        #expect(ledger.fail(error) == [])
    }

    @Test(
        "what is no answer",
        arguments: [
            "", "null", "1", "{}", #"{"id":"a"}"#, #"{"outcome":"delivered"}"#, #"{"id":1,"outcome":"delivered"}"#,
            #"{"ready":"1"}"#, #"{"ready":1.5}"#, #"{"id":"a","outcome":"retry","after":"soon"}"#, "{\"id\":\"\u{0}",
        ])
    func noAnswer(line: String) {
        guard case .nonsense = PluginMessage.answer(Array(line.utf8)) else {
            Issue.record("\(PluginMessage.answer(Array(line.utf8)))")
            return
        }
    }

    @Test("sixty thousand brackets are no answer")
    func deep() {
        noAnswer(line: String(repeating: "[", count: 60_000))
    }

    @Test("a wait is kept within a day")
    func waits() {
        for (after, expected) in [("-5", .zero), ("1e300", .seconds(86_400)), ("0.25", .milliseconds(250))]
            as [(String, Duration)]
        {
            let line = #"{"id":"a","outcome":"retry","after":\#(after)}"#
            #expect(
                PluginMessage.answer(Array(line.utf8)) == .outcome(id: "a", .retry(after: expected, reason: nil)))
        }
    }

    @Test("pauses between starts double to a bound, and begin anew after a sound life")
    func backoff() {
        var backoff = PluginBackoff()
        #expect(backoff.wait(now: start) == nil)
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            backoff.ended(isSound: false, now: start)
            #expect(backoff.wait(now: start) == .seconds(seconds))
            #expect(backoff.wait(now: at(seconds)) == nil)
        }
        for _ in 0..<100 { backoff.ended(isSound: false, now: start) }
        #expect(backoff.wait(now: start) == PluginBackoff.longest)
        backoff.ended(isSound: true, now: start)
        #expect(backoff.wait(now: start) == PluginBackoff.first)
    }

    @Test("a burst of lines is let through, then one a second, and what is left out is counted")
    func budget() {
        var budget = LineBudget()
        for _ in 0..<LineBudget.burst { #expect(budget.take(now: start) == (true, 0)) }
        #expect(budget.take(now: start) == (false, 1))
        #expect(budget.take(now: start) == (false, 2))
        #expect(budget.take(now: at(1)) == (true, 2))
        #expect(budget.take(now: at(1)) == (false, 1))
        #expect(budget.take(now: at(1000)) == (true, 1))
    }

    @Test("lines are split wherever the pieces end, and one that is too long is cut once", arguments: 1...12)
    func lines(size: Int) {
        var splitter = LineSplitter(limit: 5)
        let bytes = Array("ab\n\n12345\n123456\n1234567890123\nend".utf8)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { lines += splitter.take($0) }
        }
        lines += splitter.take(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(
            lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["ab", "", "12345", "12345", "12345", "end"])
        #expect(lines.map(\.isCut) == [false, false, false, true, true, false])
    }
}
