import Testing
import TminusTestKit

@testable import TminusCore

struct SlotTimelineTests {
    /// A timeline as a plain model.
    private struct Model {
        var due: [UInt32: Timestamp] = [:]

        var first: (slot: UInt32, due: Timestamp)? {
            due.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { (slot: $0.key, due: $0.value) }
        }

        mutating func popFirst(upTo now: Timestamp) -> (slot: UInt32, due: Timestamp)? {
            guard let first, first.due <= now else { return nil }
            due[first.slot] = nil
            return first
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
        // The numbers of armings overflow during the test.
        var timeline = SlotTimeline(after: .max - UInt32(random.below(900)))
        var model = Model()
        var now = Timestamp(seconds: 4)
        // With few slots, most armings replace another; many slots make buckets that are spread.
        let slots = [8, 60, 500][Int(seed) % 3]
        for step in 0..<1_500 {
            let slot = UInt32(random.below(slots))
            switch random.below(10) {
            case 0..<6:
                let due = spread.instant(near: now, &random)
                timeline.arm(slot, at: due)
                model.due[slot] = due
            case 6:
                timeline.cancel(slot)
                model.due[slot] = nil
            case 7:
                // Time also runs backwards.
                now = spread.instant(near: now, &random)
            default:
                for _ in 0..<random.below(slots / 2) {
                    let popped = timeline.popFirst(upTo: now)
                    let expected = model.popFirst(upTo: now)
                    try #require(popped?.slot == expected?.slot && popped?.due == expected?.due, "step \(step)")
                    if popped == nil { break }
                }
            }
            if random.below(2) == 0 {
                let first = timeline.first()
                try #require(first == model.first?.due, "step \(step)")
            }
            try #require(timeline.count == model.due.count, "step \(step)")
        }
        while let expected = model.popFirst(upTo: .distantFuture) {
            let popped = timeline.popFirst(upTo: .distantFuture)
            try #require(popped?.slot == expected.slot && popped?.due == expected.due)
        }
        #expect(timeline.popFirst(upTo: .distantFuture) == nil)
        #expect(timeline.first() == nil)
    }

    @Test func `entries due at one instant are sorted by slot`() {
        var timeline = SlotTimeline()
        for slot in (0..<100_000 as Range<UInt32>).reversed() { timeline.arm(slot, at: Timestamp(seconds: 60)) }
        #expect(timeline.popFirst(upTo: Timestamp(seconds: 59)) == nil)
        for slot in 0..<100_000 as Range<UInt32> {
            #expect(timeline.popFirst(upTo: Timestamp(seconds: 60))?.slot == slot)
        }
        #expect(timeline.count == 0)
    }

    /// Close together, and so far apart that a bit set of all numbers between them would be too large.
    @Test(arguments: [1, 1_000] as [UInt32])
    func `each of many slots armed for one instant comes once`(spacing: UInt32) {
        var timeline = SlotTimeline()
        let (due, later) = (Timestamp(seconds: 60), Timestamp(seconds: 61))
        let slots = (0..<500).map { $0 * 7_919 % 500 * spacing }
        for slot in slots { timeline.arm(slot, at: due) }
        for slot in slots.prefix(200) { timeline.arm(slot, at: due) }
        for slot in slots[100..<150] { timeline.cancel(slot) }
        for slot in slots[300..<350] { timeline.arm(slot, at: later) }
        func pop(upTo now: Timestamp) -> [UInt32] {
            var popped: [UInt32] = []
            while let next = timeline.popFirst(upTo: now) { popped.append(next.slot) }
            return popped
        }
        let (first, second) = (pop(upTo: due), pop(upTo: later))
        #expect(first == (slots[..<100] + slots[150..<300] + slots[350...]).sorted())
        #expect(second == slots[300..<350].sorted())
        #expect(timeline.count == 0)
    }

    @Test func `stale entries take little memory`() {
        var random = SeededRandom(1)
        var timeline = SlotTimeline()
        let slots = 100_000
        for slot in 0..<UInt32(slots) { timeline.arm(slot, at: Timestamp(seconds: 100)) }
        for _ in 0..<10 * slots {
            timeline.arm(UInt32(random.below(slots)), at: Timestamp(seconds: Int64(random.below(1 << 20))))
        }
        #expect(timeline.bytes <= 32 * slots)
        for slot in 0..<UInt32(slots) { timeline.cancel(slot) }
        #expect(timeline.entryCount == 0)
        #expect(timeline.first() == nil)
    }

    @Test func `a slot armed repeatedly is due once, at its last instant`() {
        var random = SeededRandom(3)
        var timeline = SlotTimeline()
        var model = Model()
        // Stale entries are dropped about twenty times; slots from 100 on are armed rarely, before and after that.
        for step in 0..<20_000 {
            let slot = UInt32(step % 50 == 0 ? 100 + random.below(2_000) : random.below(100))
            let due = Timestamp(seconds: 1 + Int64(random.below(1 << 20)))
            timeline.arm(slot, at: due)
            model.due[slot] = due
        }
        #expect(timeline.count == model.due.count)
        while let first = model.first {
            let popped = timeline.popFirst(upTo: first.due)
            #expect(popped?.slot == first.slot)
            #expect(popped?.due == first.due)
            model.due[first.slot] = nil
        }
        #expect(timeline.first() == nil)
    }

    @Test func `cancelling and arming repeatedly takes no more memory`() {
        var timeline = SlotTimeline()
        timeline.arm(1, at: Timestamp(seconds: 100))
        for round in 0..<100_000 {
            timeline.arm(0, at: Timestamp(seconds: 100 + Int64(round)))
            timeline.cancel(0)
        }
        #expect(timeline.entryCount <= 8_192)
        #expect(timeline.first() == Timestamp(seconds: 100))
    }

    @Test func `the order survives a clock that is set far ahead and back`() {
        var timeline = SlotTimeline()
        for slot in 0..<1_000 as Range<UInt32> { timeline.arm(slot, at: Timestamp(seconds: 1_000 + Int64(slot))) }
        #expect(timeline.popFirst(upTo: Timestamp(seconds: 1_500))?.slot == 0)
        timeline.arm(0, at: Timestamp(seconds: 10))
        #expect(timeline.popFirst(upTo: Timestamp(seconds: 9)) == nil)
        #expect(timeline.popFirst(upTo: Timestamp(seconds: 10))?.slot == 0)
        #expect(timeline.first() == Timestamp(seconds: 1_001))
        for slot in 1..<1_000 as Range<UInt32> { #expect(timeline.popFirst(upTo: .distantFuture)?.slot == slot) }
    }

    @Test func `the numbers of armings may overflow`() {
        var timeline = SlotTimeline(after: .max - 100)
        timeline.arm(1, at: Timestamp(seconds: 50))
        for round in 0..<200 {
            timeline.arm(0, at: Timestamp(seconds: 100 + Int64(round)))
            if round % 3 == 0 { timeline.cancel(0) }
        }
        timeline.arm(0, at: Timestamp(seconds: 60))
        #expect(timeline.popFirst(upTo: .distantFuture)?.slot == 1)
        #expect(timeline.popFirst(upTo: .distantFuture)?.due == Timestamp(seconds: 60))
        #expect(timeline.popFirst(upTo: .distantFuture) == nil)
    }

    @Test func `a copy is independent`() {
        var timeline = SlotTimeline()
        timeline.arm(0, at: Timestamp(seconds: 1))
        var copy = timeline
        copy.cancel(0)
        #expect(copy.first() == nil)
        #expect(timeline.first() == Timestamp(seconds: 1))
    }

    @Test(arguments: [0, .max - 150] as [UInt32])
    func `a change of one copy does not affect the other`(armings: UInt32) {
        var timeline = SlotTimeline(after: armings)
        for slot in 0..<100 as Range<UInt32> { timeline.arm(slot, at: Timestamp(seconds: 10 + Int64(slot))) }
        let former = timeline
        var copy = timeline
        for slot in 0..<100 as Range<UInt32> { timeline.arm(slot, at: Timestamp(seconds: 500 - Int64(slot))) }
        while copy.popFirst(upTo: Timestamp(seconds: 59)) != nil {}
        #expect((copy.count, copy.first()) == (50, Timestamp(seconds: 60)))
        #expect((timeline.count, timeline.first()) == (100, Timestamp(seconds: 401)))
        var left = former
        for slot in 0..<100 as Range<UInt32> {
            #expect(left.popFirst(upTo: .distantFuture)?.due == Timestamp(seconds: 10 + Int64(slot)))
            #expect(timeline.popFirst(upTo: .distantFuture)?.slot == 99 - slot)
        }
        #expect((former.count, left.count, timeline.count) == (100, 0, 0))
    }
}
