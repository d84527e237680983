import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Attempts in line")
struct AttemptLinesTests {
    private let recording = Recording()
    private var lines = AttemptLines()

    private func attempt(_ id: String, _ lane: String = "s", maxConcurrent: Int = 2) -> Attempt {
        .sample(id, lane: lane, sink: RecordingSink(recording, maxConcurrent: maxConcurrent))
    }

    /// Adds attempts, and begins what there is room for. Returns the tokens of what begins.
    private mutating func add(_ attempts: [Attempt]) -> [String] {
        var begun: [String] = []
        for lane in lines.add(attempts) {
            while let next = lines.next(of: lane) { begun.append(next.claimed.token) }
        }
        return begun
    }

    @Test("a sink runs as many as it may, and the next when one ends, in the order in which they came")
    mutating func order() {
        let attempts = (0..<4).map { attempt("t\($0)") }
        let begun = add(attempts)
        #expect(begun == ["t0", "t1"])
        #expect(lines.end(attempts[1]) === attempts[2])
        #expect(lines.end(attempts[2]) === attempts[3])
        #expect(lines.end(attempts[3]) == nil)
        #expect(lines.running == 1)
        #expect(lines.waiting == 0)
    }

    @Test("one that comes while others wait goes behind them, also if there is room")
    mutating func behind() {
        let (first, second, wide) = (attempt("a", maxConcurrent: 1), attempt("b", maxConcurrent: 1), attempt("c"))
        let begun = [add([first, second]), add([wide])]
        #expect(begun == [["a"], []])
        #expect(lines.waiting == 2)
        #expect(lines.end(first) === second)
    }

    @Test("beyond what all may run together, each sink runs one, and what it has waits for any to end")
    mutating func full() {
        let wide = (0..<AttemptLines.limit).map { attempt("t\($0)", "wide", maxConcurrent: 1_000) }
        let (first, second) = (attempt("a", "other"), attempt("b", "other"))
        let begun = [add(wide).count, add([first, second]).count]
        #expect(begun == [wide.count, 1])
        #expect(lines.running == AttemptLines.limit + 1)
        #expect(lines.end(wide[0]) == nil)
        #expect(lines.end(wide[1]) === second)
        #expect(lines.running == AttemptLines.limit)
    }

    @Test("what waits can be taken back, what runs cannot")
    mutating func withdraw() {
        let attempts = (0..<4).map { attempt("t\($0)") }
        let begun = add(attempts)
        #expect(begun == ["t0", "t1"])
        let withdrawn = lines.withdraw { $0.claimed.token != "t2" }
        #expect(withdrawn.map(\.claimed.token) == ["t3"])
        #expect(lines.end(attempts[0]) === attempts[2])
        #expect(lines.end(attempts[1]) == nil)
        let rest = lines.withdraw { _ in true }
        #expect(rest.isEmpty)
    }
}
