import Testing
import TminusCore
import TminusTestKit

@Suite("Deadlines")
struct DeadlinesTests {
    private let deadlines = Deadlines()
    private let calls = AsyncStream.makeStream(of: Int.self)

    /// The numbers of the first calls.
    private func first(_ count: Int) async throws -> [Int] {
        try await Bounded.value("\(count) deadlines") {
            var order: [Int] = []
            for await number in calls.stream {
                order.append(number)
                if order.count == count { break }
            }
            return order
        }
    }

    /// A deadline in an hour, and what tells whether its callback was released.
    private func far() -> (number: UInt64, held: Forgotten) {
        let held = Held()
        let number = deadlines.after(.seconds(3_600)) { withExtendedLifetime(held) {} }
        return (number, Forgotten(held: held))
    }

    @Test("callbacks run in the order of their deadlines, and a cancelled one is released")
    func order() async throws {
        _ = deadlines.after(.milliseconds(50)) { calls.continuation.yield(3) }
        let (off, forgotten) = far()
        _ = deadlines.after(.milliseconds(1)) { calls.continuation.yield(1) }
        #expect(forgotten.held != nil)
        deadlines.callOff(off)
        #expect(forgotten.held == nil)
        #expect(try await first(2) == [1, 3])
    }

    @Test("each callback runs once, and an expired deadline runs at once")
    func once() async throws {
        _ = deadlines.after(.milliseconds(-1)) { calls.continuation.yield(1) }
        #expect(try await first(1) == [1])
        _ = deadlines.after(.milliseconds(1)) { calls.continuation.yield(2) }
        #expect(try await first(1) == [2])
    }

    @Test("a callback may set another deadline and cancel others")
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

/// An object that a callback holds.
private final class Held: Sendable {}

/// Tells whether the object still exists.
private struct Forgotten: Sendable {
    weak let held: Held?
}
