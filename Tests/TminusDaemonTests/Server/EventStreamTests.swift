import Foundation
import Glibc
import Testing
import TminusControl
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Stream of changes")
struct EventStreamTests {
    /// What a viewer has seen.
    private typealias Seen = Watched<[(id: String, event: ControlEvent)]>

    private func follow(_ harness: ControlHarness, after id: String? = nil, into seen: Seen) -> Task<Void, any Error> {
        let path = harness.path
        return Task {
            try await ControlClient.connected(to: path) { client in
                for try await element in client.events(after: id) { seen.update { $0.append(element) } }
            }
        }
    }

    private func wait(_ seen: Seen, _ count: Int) async throws {
        guard await seen.wait(upTo: Bounded.limit, until: { $0.count >= count }) else {
            throw ConformanceFailure("only \(seen.value.count) of \(count) events: \(seen.value.map(\.id))")
        }
    }

    private func words(_ seen: Seen) -> [String] {
        seen.value.map { element in
            switch element.event {
            case .snapshot(let list): "all \(list.items.map(\.id).joined(separator: " "))"
            case .item(let item): "\(item.id) \(item.state.rawValue) \(item.words ?? "-")"
            case .unreadable(let item): item.text
            case .problems(let lines): "problems: \(lines.joined(separator: ", "))"
            case .removed(let id): "no \(id)"
            }
        }
    }

    @Test("a stream begins with all items, and then has those whose text changes")
    func changes() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.timer("tea", left: .seconds(125), of: .seconds(180), at: at(0)), .idle("rest")])
        let seen = Seen([])
        try await harness.run { (client: ControlClient) async throws in
            let viewer = follow(harness, into: seen)
            try await wait(seen, 1)
            // 125 s are "2 min", until less than 90 s are left.
            try await sleeps(harness, until: at(35).advanced(by: .nanoseconds(1)))
            harness.clock.advance(by: .seconds(34))
            harness.desk.put([harness.desk.entry("tea")])
            harness.clock.advance(by: .seconds(1.001))
            try await wait(seen, 2)
            _ = try await client.perform(.pause, "tea")
            try await wait(seen, 3)
            harness.clock.advance(by: .seconds(3_600))
            harness.desk.remove("rest")
            try await wait(seen, 4)
            #expect(words(seen) == ["all tea rest", "tea running 1 min", "tea paused 1 min", "no rest"])
            viewer.cancel()
            _ = await viewer.result
        }
    }

    @Test("a stream resumes after the last event, without losing or repeating one")
    func resumes() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            let first = Seen([])
            let viewer = follow(harness, into: first)
            try await wait(first, 1)
            harness.desk.put([.idle("a")])
            try await wait(first, 2)
            viewer.cancel()
            _ = await viewer.result
            harness.desk.put([.idle("b")])
            harness.desk.put([.idle("c")])
            let second = Seen([])
            let again = follow(harness, after: first.value[1].id, into: second)
            try await wait(second, 2)
            #expect(words(second) == ["b idle -", "c idle -"])
            // An id of another run, or one that is no longer known: all anew.
            let third = Seen([])
            let stranger = follow(harness, after: "other-5", into: third)
            try await wait(third, 1)
            #expect(words(third)[0].hasPrefix("all "))
            for task in [again, stranger] {
                task.cancel()
                _ = await task.result
            }
        }
    }

    @Test("the schedule is followed while there are viewers, and half a minute longer")
    func followsForViewers() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            _ = try await client.status()
            #expect(harness.desk.readers == 0)
            let first = Seen([])
            let viewer = follow(harness, into: first)
            try await wait(first, 1)
            #expect(harness.desk.readers == 1)
            viewer.cancel()
            _ = await viewer.result
            // Who has gone is noticed when something is to be told.
            var round = 0
            while try await client.status().viewers > 0 {
                round += 1
                harness.desk.put([.idle("tea-\(round)")])
            }
            try await sleeps(harness, until: at(30))
            harness.clock.advance(by: .seconds(30))
            try await sleeps(harness, until: nil)
            try await harness.desk.waitForReaders(0)
            // What nobody was told of is there for who comes next.
            harness.desk.put([.idle("coffee")])
            let second = Seen([])
            let again = follow(harness, into: second)
            try await wait(second, 1)
            #expect(harness.desk.readers == 1)
            harness.desk.put([.idle("water")])
            try await wait(second, 2)
            #expect(words(second)[0].hasPrefix("all coffee tea"))
            #expect(words(second)[1] == "water idle -")
            again.cancel()
            _ = await again.result
        }
    }

    @Test("a viewer that does not read is dropped, and the others get everything")
    func slowViewer() async throws {
        let harness = try ControlHarness()
        // So large that few changes fill what the kernel and the server hold for a viewer.
        @Sendable func large(_ round: Int) -> ScheduleEntry {
            let entry = ScheduleEntry.timer(
                "large", left: .seconds(60 + 120 * (round % 2)), of: .seconds(600), at: at(0))
            var definition = entry.definition
            definition.name = String(repeating: "x", count: 30_000)
            return ScheduleEntry(definition: definition, state: entry.state)
        }
        harness.desk.put([large(0)])
        let seen = Seen([])
        try await harness.run { (client: ControlClient) async throws in
            let viewer = follow(harness, into: seen)
            try await wait(seen, 1)
            let stuck = try RawSocket(harness.path)
            try await stuck.write("GET /events HTTP/1.1\r\nhost: x\r\n\r\n")
            _ = try await stuck.read(until: "event: snapshot")
            var round = 0
            while !stuck.isClosed {
                round += 1
                if round > 500 {
                    let viewers = try await client.status().viewers
                    throw ConformanceFailure("the slow viewer was not dropped; \(viewers) viewers are left")
                }
                harness.desk.put([large(round)])
                try await wait(seen, 1 + round)
            }
            try await Bounded.value("the count of viewers") {
                while try await client.status().viewers != 1 {}
            }
            viewer.cancel()
            _ = await viewer.result
        }
    }

    @Test("a thousand viewers get the same events", .timeLimit(.minutes(20)))
    func thousandViewers() async throws {
        // In a process of its own: libinotifytools, which other tests use, waits by select(2), and that knows no descriptor
        // above 1,023.
        await #expect(processExitsWith: .success) {
            let harness = try ControlHarness()
            harness.desk.put([.idle("tea")])
            try await harness.run { (client: ControlClient) async throws in
                var sockets: [RawSocket] = []
                for _ in 0..<1_000 {
                    let socket = try RawSocket(harness.path)
                    try await socket.write("GET /events HTTP/1.1\r\nhost: x\r\n\r\n")
                    sockets.append(socket)
                }
                for socket in sockets { _ = try await socket.read(until: "event: snapshot") }
                // They are counted after their first event.
                while try await client.status().viewers != 1_000 {}
                harness.desk.put([.idle("coffee")])
                for socket in sockets {
                    let text = try await socket.read(until: "\"coffee\"")
                    try #require(text.contains("\"coffee\""))
                }
            }
        }
    }

    @Test("a stream ends when the daemon stops, and does not delay it")
    func stops() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        let seen = Seen([])
        let viewers = Watched<[Task<Void, any Error>]>([])
        try await harness.run { (_: ControlClient) async throws in
            viewers.update { $0.append(follow(harness, into: seen)) }
            try await wait(seen, 1)
        }
        for viewer in viewers.value {
            try await Bounded.value("the end of the stream") { _ = await viewer.result }
        }
    }

    private func sleeps(_ harness: ControlHarness, until instant: Timestamp?) async throws {
        guard await harness.clock.waitForDeadline(instant, upTo: Bounded.limit) else {
            let next = harness.clock.nextDeadline.map { "\(at(0).duration(to: $0))" } ?? "-"
            throw ConformanceFailure("the next deadline is \(next)")
        }
    }
}

extension TestDesk {
    /// An entry that is there.
    fileprivate func entry(_ id: String) -> ScheduleEntry { current[.test(id)]! }
}
