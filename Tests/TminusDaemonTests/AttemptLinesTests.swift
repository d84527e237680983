import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Attempts in line")
struct AttemptLinesTests {
    private let recording = Recording()
    private var lines = AttemptLines()

    /// A sink, and deliveries to it.
    private func group(_ ids: [String], _ lane: String = "s", maxConcurrent: Int = 2) -> AttemptGroup {
        .sample(ids, lane: lane, sink: RecordingSink(recording, maxConcurrent: maxConcurrent))
    }

    /// Adds attempts, and begins what there is room for.
    private mutating func add(_ groups: [AttemptGroup]) -> [Attempt] {
        var begun: [Attempt] = []
        for made in lines.add(groups) {
            while let next = lines.next(of: made) { begun.append(next) }
        }
        return begun
    }

    /// Ends an attempt. Returns the token of what begins in its place.
    private mutating func end(_ attempt: Attempt) -> String? { lines.end(attempt)?.claimed.token }

    @Test("a sink runs as many as it may, and the next when one ends, in the order in which they came")
    mutating func order() {
        let begun = add([group(["t0", "t1", "t2", "t3"])])
        #expect(begun.map(\.claimed.token) == ["t0", "t1"])
        let next = lines.end(begun[1])
        #expect(next?.claimed.token == "t2")
        let last = next.flatMap { lines.end($0) }
        #expect(last?.claimed.token == "t3")
        let none = last.flatMap { lines.end($0) }
        #expect(none == nil)
        #expect(lines.running == 1)
        #expect(lines.waiting == 0)
    }

    @Test("one that comes while others wait goes behind them, also if there is room")
    mutating func behind() {
        let made = group(["a"], maxConcurrent: 1)
        let begun = add([made, made.with(["b"])]) + add([made.with(["c"])])
        #expect(begun.map(\.claimed.token) == ["a"])
        #expect(lines.waiting == 2)
        let next = lines.end(begun[0])
        #expect(next?.claimed.token == "b")
        let last = next.flatMap { end($0) }
        #expect(last == "c")
    }

    @Test("beyond what all may run together, each sink runs one, and what it has waits for any to end")
    mutating func full() {
        let wide = add([group((0..<AttemptLines.limit).map { "t\($0)" }, "wide", maxConcurrent: 1_000)])
        let other = add([group(["a", "b"], "other")])
        #expect(wide.count == AttemptLines.limit)
        #expect(other.map(\.claimed.token) == ["a"])
        #expect(lines.running == AttemptLines.limit + 1)
        let none = end(wide[0])
        #expect(none == nil)
        let next = end(wide[1])
        #expect(next == "b")
        #expect(lines.running == AttemptLines.limit)
    }

    @Test("what waits can be taken back, what runs cannot")
    mutating func withdraw() {
        let begun = add([group(["t0", "t1", "t2", "t3"])])
        #expect(begun.map(\.claimed.token) == ["t0", "t1"])
        let withdrawn = lines.withdraw { claimed, _ in claimed.token != "t2" }
        #expect(withdrawn.map(\.claimed.token) == ["t3"])
        let next = begun.map { end($0) }
        #expect(next == ["t2", nil])
        let rest = lines.withdraw { _, _ in true }
        #expect(rest.isEmpty)
    }

    @Test("a line that is over leaves its number to another, which goes on")
    mutating func over() {
        let groups = [group(["a0"], "a"), group(["b0"], "b"), group(["c0", "c1", "c2"], "c", maxConcurrent: 1)]
        let begun = add(groups)
        #expect(begun.map(\.claimed.token) == ["a0", "b0", "c0"])
        let none = end(begun[0])
        #expect(none == nil)
        let next = lines.end(begun[2])
        #expect(next?.claimed.token == "c1")
        let again = add([groups[2].with(["c3"]), groups[0].with(["a1"])])
        #expect(again.map(\.claimed.token) == ["a1"])
        let withdrawn = lines.withdraw { claimed, lane in claimed.token == "c2" || lane.key == SinkKey("a") }
        #expect(withdrawn.map(\.claimed.token) == ["c2"])
        let last = [end(begun[1]), next.flatMap { end($0) }, end(again[0])]
        #expect(last == [nil, "c3", nil])
        #expect(lines.running == 1)
        #expect(lines.waiting == 0)
    }

    @Test("what a later occurrence may end is handed on with the attempt, also if that is taken back")
    mutating func stops() {
        let (first, second) = (AttemptStop(), AttemptStop())
        let made = group(["t0", "t1", "t2"], maxConcurrent: 1)
        let begun = add([
            AttemptGroup(made: made.made, claimed: made.claimed, stops: ["t0": first, "t2": second])
        ])
        #expect(begun.map { $0.stop === first } == [true])
        let withdrawn = lines.withdraw { claimed, _ in claimed.token == "t2" }
        #expect(withdrawn.map { $0.stop === second } == [true])
        let next = lines.end(begun[0])
        #expect(next?.claimed.token == "t1")
        #expect(next?.stop == nil)
    }
}
