import Testing
import TminusTestKit

@testable import TminusCore

struct DueQueueTests {
    /// A queue as a plain model.
    private struct Model {
        var due: [Int: Timestamp] = [:]

        var first: (key: Int, due: Timestamp)? {
            due.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { (key: $0.key, due: $0.value) }
        }

        mutating func popFirst(upTo now: Timestamp) -> Int? {
            guard let first, first.due <= now else { return nil }
            due[first.key] = nil
            return first.key
        }
    }

    /// The distribution of instants: close together, over the whole range, at its ends.
    enum Spread: CaseIterable {
        case fewInstants, days, range, ends

        func instant(near now: Timestamp, _ random: inout SeededRandom) -> Timestamp {
            switch self {
            case .fewInstants: Timestamp(seconds: Int64(random.below(8)))
            case .days: now.advanced(by: .milliseconds(random.below(1 << 28) - 1 << 20))
            case .range: Timestamp(nanoseconds: Int64(bitPattern: random.next()))
            case .ends:
                Timestamp(
                    nanoseconds: random.below(2) == 0 ? .min + Int64(random.below(3)) : .max - Int64(random.below(3)))
            }
        }
    }

    @Test(arguments: Spread.allCases, 0..<24 as Range<UInt64>)
    func `does what a sorted array does`(spread: Spread, seed: UInt64) throws {
        var random = SeededRandom(seed)
        var queue = DueQueue<Int>()
        var model = Model()
        var now = Timestamp(seconds: 4)
        // With few keys, most armings replace another.
        let keys = [8, 60, 500][Int(seed) % 3]
        for step in 0..<1_500 {
            let key = random.below(keys)
            switch random.below(10) {
            case 0..<6:
                let due = spread.instant(near: now, &random)
                queue[key] = due
                model.due[key] = due
            case 6:
                queue[key] = nil
                model.due[key] = nil
            case 7:
                // Time also runs backwards.
                now = spread.instant(near: now, &random)
            default:
                for _ in 0..<random.below(keys / 2) {
                    let popped = queue.popFirst(upTo: now)
                    try #require(popped == model.popFirst(upTo: now), "step \(step)")
                    if popped == nil { break }
                }
            }
            if random.below(2) == 0 {
                let next = queue.next()
                try #require(next == model.first?.due, "step \(step)")
            }
            try #require(queue[key] == model.due[key], "step \(step)")
        }
        while let expected = model.popFirst(upTo: .distantFuture) {
            let popped = queue.popFirst(upTo: .distantFuture)
            try #require(popped == expected)
        }
        #expect(queue.popFirst(upTo: .distantFuture) == nil)
        #expect(queue.next() == nil)
    }

    @Test func `keys due at one instant come in the given order`() {
        var queue = DueQueue<Int>()
        let due = Timestamp(seconds: 60)
        for key in 0..<10_000 { queue[key] = due }
        #expect(queue.popFirst(upTo: Timestamp(seconds: 59)) == nil)
        #expect(queue.popFirst(upTo: due, by: >) == 9_999)
        // What is armed while others wait takes its place among them, and what is due earlier comes first.
        queue[9_999] = due
        queue[20_000] = due
        queue[5] = Timestamp(seconds: 59)
        queue[6] = nil
        #expect(queue.popFirst(upTo: due, by: >) == 5)
        #expect(queue.popFirst(upTo: due, by: >) == 20_000)
        for key in (0..<10_000).reversed() where key != 5 && key != 6 {
            #expect(queue.popFirst(upTo: due, by: >) == key)
        }
        #expect(queue.next() == nil)
    }

    @Test func `a key armed repeatedly takes little memory`() {
        var queue = DueQueue<Int>()
        queue[1] = Timestamp(seconds: 50)
        var most = 0
        for round in 0..<1_000_000 {
            queue[0] = Timestamp(seconds: 100 + Int64(round))
            most = max(most, queue.entryCount)
        }
        #expect(most < 1_100)
        #expect(queue.popFirst(upTo: .distantFuture) == 1)
        #expect(queue.next() == Timestamp(seconds: 1_000_099))
    }

    @Test func `arming and disarming repeatedly takes little memory, also while keys are due`() {
        var queue = DueQueue<Int>()
        for key in 0..<5_000 { queue[key] = Timestamp(seconds: 10) }
        #expect(queue.popFirst(upTo: Timestamp(seconds: 10)) == 0)
        var most = 0
        for round in 0..<100_000 {
            queue[round % 5_000] = Timestamp(seconds: 100 + Int64(round))
            queue[round % 5_000] = round % 2 == 0 ? Timestamp(seconds: 20) : nil
            most = max(most, queue.entryCount)
        }
        #expect(most < 11_100)
        for key in stride(from: 0, to: 5_000, by: 2) { #expect(queue.popFirst(upTo: .distantFuture) == key) }
        #expect(queue.next() == nil)
    }

    @Test func `the order survives a clock that is set far ahead and back`() {
        var queue = DueQueue<Int>()
        for key in 0..<1_000 { queue[key] = Timestamp(seconds: 1_000 + Int64(key)) }
        #expect(queue.popFirst(upTo: Timestamp(seconds: 1_500)) == 0)
        queue[0] = Timestamp(seconds: 10)
        #expect(queue.popFirst(upTo: Timestamp(seconds: 9)) == nil)
        #expect(queue.popFirst(upTo: Timestamp(seconds: 10)) == 0)
        #expect(queue.next() == Timestamp(seconds: 1_001))
        for key in 1..<1_000 { #expect(queue.popFirst(upTo: .distantFuture) == key) }
    }

    @Test func `a copy is independent`() {
        var queue = DueQueue<Int>()
        for key in 0..<100 { queue[key] = Timestamp(seconds: 10 + Int64(key)) }
        var copy = queue
        for key in 0..<100 { queue[key] = Timestamp(seconds: 500 - Int64(key)) }
        for key in 0..<50 { #expect(copy.popFirst(upTo: Timestamp(seconds: 59)) == key) }
        #expect(copy.popFirst(upTo: Timestamp(seconds: 59)) == nil)
        #expect(copy.next() == Timestamp(seconds: 60))
        for key in 0..<100 { #expect(queue.popFirst(upTo: .distantFuture) == 99 - key) }
    }
}
