import Testing
import TminusCore
import TminusTestKit

@Suite("Deadlines")
struct DeadlinesTests {
    private let deadlines = Deadlines()
    private let calls = AsyncStream.makeStream(of: Int.self)

    /// Those that were called first.
    private func first(_ count: Int) async throws -> [Int] {
        try await Bounded.value(within: .seconds(60), "\(count) deadlines") {
            var order: [Int] = []
            for await number in calls.stream {
                order.append(number)
                if order.count == count { break }
            }
            return order
        }
    }

    /// One for in an hour; with what is gone once the deadlines have forgotten it.
    private func far() -> (number: UInt64, held: Forgotten) {
        let held = Held()
        let number = deadlines.after(.seconds(3_600)) { withExtendedLifetime(held) {} }
        return (number, Forgotten(held: held))
    }

    @Test("they come in their order, whichever was asked for first, and one that was called off is forgotten")
    func order() async throws {
        _ = deadlines.after(.milliseconds(50)) { calls.continuation.yield(3) }
        let (off, forgotten) = far()
        _ = deadlines.after(.milliseconds(1)) { calls.continuation.yield(1) }
        #expect(forgotten.held != nil)
        deadlines.callOff(off)
        #expect(forgotten.held == nil)
        #expect(try await first(2) == [1, 3])
    }

    @Test("each comes once, and what is over already comes at once")
    func once() async throws {
        _ = deadlines.after(.milliseconds(-1)) { calls.continuation.yield(1) }
        #expect(try await first(1) == [1])
        _ = deadlines.after(.milliseconds(1)) { calls.continuation.yield(2) }
        #expect(try await first(1) == [2])
    }

    @Test("one may ask for the next, and call off others")
    func again() async throws {
        let (off, forgotten) = far()
        _ = deadlines.after(.milliseconds(1)) {
            deadlines.callOff(off)
            calls.continuation.yield(1)
            _ = deadlines.after(.milliseconds(1)) { calls.continuation.yield(3) }
        }
        #expect(try await first(2) == [1, 3])
        #expect(forgotten.held == nil)
    }
}

/// What a deadline holds.
private final class Held: Sendable {}

/// Whether it still does.
private struct Forgotten: Sendable {
    weak let held: Held?
}
