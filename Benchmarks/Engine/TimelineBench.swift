internal import BenchRows
internal import CBenchPeers
internal import Glibc
internal import HeapModule
internal import TminusCore

/// The timeline alone: each slot in a millisecond of its own, in random order, as the C heap and the Swift heap have them.
struct TimelineBench {
    /// How many slots.
    let count: UInt32
    /// How many runs, in which all take turns.
    var runs = Runs.of(5)

    private static let start = Timestamp(seconds: 1_800_000_000)

    /// Adds its figures.
    func run(into table: inout Table) {
        let order = Self.shuffled(count, seed: 1)
        let other = Self.shuffled(count, seed: 2)
        var figures: [String: [Double]] = [:]
        func note(_ name: String, _ work: () -> Void) {
            let begin = processorTime()
            work()
            figures[name, default: []].append((processorTime() - begin) / Double(count))
        }
        var bytes: [Double] = []
        for _ in 0..<runs {
            var timeline = SlotTimeline()
            _ = timeline.popFirst(upTo: Self.start)
            // As the heap has its positions before.
            timeline.reserve(Int(count))
            note("arm") { for slot in 0..<count { timeline.arm(slot, at: Self.due(order[Int(slot)])) } }
            bytes.append(Double(timeline.bytes) / Double(count))
            // Read in order, here and for the heap: looking up an instant by its slot would be a cache miss of the benchmark's own.
            note("re-arm") { for (slot, step) in zip(order, other) { timeline.arm(slot, at: Self.due(step)) } }
            bytes.append(Double(timeline.bytes) / Double(count))
            note("drain") { drain { timeline.popFirst(upTo: $0).map { Int64($0.slot) } ?? -1 } }
            for slot in 0..<count { timeline.arm(slot, at: Self.due(count + order[Int(slot)])) }
            note("cancel") { for slot in other { timeline.cancel(slot) } }

            var heap = bench_heap()
            bench_heap_make(&heap, count)
            note("arm, C heap") {
                for slot in 0..<count { bench_heap_arm(&heap, slot, Self.nanoseconds(order[Int(slot)])) }
            }
            note("re-arm, C heap") {
                for (slot, step) in zip(order, other) { bench_heap_arm(&heap, slot, Self.nanoseconds(step)) }
            }
            note("drain, C heap") { drain { bench_heap_pop(&heap, $0.nanoseconds) } }
            for slot in 0..<count { bench_heap_arm(&heap, slot, Self.nanoseconds(count + order[Int(slot)])) }
            note("cancel, C heap") { for slot in other { bench_heap_cancel(&heap, slot) } }
            bench_heap_free(&heap)

            var swift = Heap<Entry>()
            note("arm, Swift Heap") {
                for slot in 0..<count { swift.insert(Entry(due: Self.due(order[Int(slot)]), slot: slot)) }
            }
            note("drain, Swift Heap") {
                drain { now in
                    guard let min = swift.min, min.due <= now else { return -1 }
                    return Int64(swift.removeMin().slot)
                }
            }
        }
        let size = "N = \(count / 1_000_000) M"
        for step in ["arm", "re-arm", "cancel", "drain"] {
            for peer in [", C heap", ", Swift Heap"] {
                if let values = figures[step + peer] { table.add("\(step)\(peer), \(size)", "ns", values) }
            }
            let peer = "\(step), C heap, \(size)"
            // What more than a million cost is judged by what a million do: see compareSizes.
            table.add(
                "\(step), \(size)", "ns", figures[step] ?? [],
                target: count > 1_000_000 ? .beside(peer) : .ratio(1, of: peer))
        }
        table.add("memory of an entry, \(size)", "B", bytes, target: .value(32))
    }

    /// Whether ten times as many cost at most twice as much each.
    static func compareSizes(in table: inout Table) {
        for step in ["arm", "re-arm", "cancel", "drain"] {
            guard let row = table.row("\(step), N = 10 M"), table.row("\(step), N = 1 M") != nil else { continue }
            table.add("\(step), 10 M to 1 M", "ns", row.values, target: .ratio(2, of: "\(step), N = 1 M"))
        }
    }

    /// Nanoseconds of processor time of this thread, so that what else runs on the machine counts little.
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Takes what is due, millisecond by millisecond.
    private func drain(_ pop: (Timestamp) -> Int64) {
        var taken = 0
        for step in 0..<count { while pop(Self.due(step)) >= 0 { taken += 1 } }
        precondition(taken == Int(count))
    }

    private struct Entry: Comparable {
        var due: Timestamp
        var slot: UInt32
        static func < (left: Self, right: Self) -> Bool { left.due < right.due }
    }

    private static func nanoseconds(_ step: UInt32) -> Int64 { start.nanoseconds + (Int64(step) + 1) * 1_000_000 }
    private static func due(_ step: UInt32) -> Timestamp { Timestamp(nanoseconds: nanoseconds(step)) }

    /// The numbers below `count` in an order that is the same for the same seed: a permutation by steps that have no common
    /// divisor with the count would be too regular, so it is Fisher and Yates's.
    private static func shuffled(_ count: UInt32, seed: UInt64) -> [UInt32] {
        var order = Array(0..<count)
        var state = seed
        for index in order.indices.reversed() where index > 0 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            order.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
        }
        return order
    }
}
