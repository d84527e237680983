import Foundation
import NIOCore
import Testing
import TminusControl
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Following from the position of the items")
struct EventPositionTests {
    @Test("the items come with a position, and a stream from there has what changed since, and nothing else")
    func fromItems() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let position = try await itemPosition(of: harness)
            #expect(harness.desk.readers == 1)
            harness.desk.put([.idle("coffee")])
            let stream = try await follow(harness, "?after=\(position)")
            let text = try await stream.read(until: "\"coffee\"")
            #expect(text.contains("event: item"))
            #expect(!text.contains("\"tea\""), "\(text)")
            #expect(text.lowercased().contains("x-accel-buffering: no"))
        }
    }

    @Test("a browser that connects again goes on after the last event, whatever its URL says")
    func lastEvent() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let first = try await itemPosition(of: harness)
            harness.desk.put([.idle("coffee")])
            var last = first
            // It may not have heard of the change yet.
            while last == first { last = try await itemPosition(of: harness) }
            harness.desk.put([.idle("water")])
            let stream = try await follow(harness, "?after=\(first)", "last-event-id: \(last)\r\n")
            let text = try await stream.read(until: "\"water\"")
            #expect(!text.contains("\"coffee\""), "\(text)")
        }
    }

    @Test("items without a position make nobody follow the schedule")
    func noPosition() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let answer = try await ask(harness, "/items")
            #expect(answer.contains("\"tea\""))
            #expect(!answer.lowercased().contains("tminus-event"))
            #expect(harness.desk.readers == 0)
            #expect(harness.clock.nextDeadline == nil)
        }
    }

    @Test("the schedule is followed for half a minute after a position was given, and then an old one gives all items")
    func lingers() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let position = try await itemPosition(of: harness)
            try #require(await harness.clock.waitForDeadline(at(30), upTo: Bounded.limit))
            harness.clock.advance(by: .seconds(30))
            try #require(await harness.clock.waitForDeadline(nil, upTo: Bounded.limit))
            try await harness.desk.waitForReaders(0)
            let stream = try await follow(harness, "?after=\(position)")
            _ = try await stream.read(until: "event: snapshot")
        }
    }

    @Test("a stream from the items has the problems of the files, which the items do not have")
    func problems() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        var load = LoadStatus()
        load.fail(
            problems: [Diagnostic(.error, "the directory is gone", at: SourceLocation(file: "/config"))], state: 1,
            at: at(0))
        harness.board.publish(load)
        try await harness.run { (_: ControlClient) async throws in
            // The hub takes the problems after the first position, and knows them at the second.
            let first = try await itemPosition(of: harness)
            var last = first
            while last == first { last = try await itemPosition(of: harness) }
            let stream = try await follow(harness, "?after=\(last)")
            let text = try await stream.read(until: "the directory is gone")
            #expect(text.contains("event: problems"))
            #expect(!text.contains("event: snapshot"))
        }
    }
}

@Suite("What viewers are not told")
struct EventLevelTests {
    private func viewer(_ id: UInt64, _ start: Viewer.Start, seesAll: Bool) -> Viewer {
        Viewer(id: id, start: start, seesAll: seesAll, hangUp: {}, left: {})
    }

    private func text(_ viewer: Viewer) async -> String {
        viewer.end()
        var text = ""
        for await bytes in viewer.output { text += String(buffer: bytes) }
        return text
    }

    @Test("a reader gets no path, no output and no reason with an item, whether it is there, comes back or begins")
    func items() async throws {
        let reading = ClockReading(now: at(0), setBy: .zero)
        var state = EventHubState(run: "k")
        state.expectViewer(now: at(0))
        state.take(all: [], now: at(0))
        let start = state.position
        func viewers(_ start: Viewer.Start) -> [Viewer] {
            [false, true].map { viewer(UInt64.random(in: 0 ... .max), start, seesAll: $0) }
        }
        var all = viewers(.snapshot)
        for viewer in all { state.join(viewer, reading) }
        let origin = Overrides.Origin(by: "ada", at: at(0), note: "secret reason")
        let item = Item(
            asOf: at(0), id: "tea", kind: .timer, name: "Tea", state: .running,
            overrides: Overrides(mute: .init(until: at(9), origin: origin)),
            lastOutcome: .init(
                due: at(0), action: "expiry", end: "dead", reason: nil, message: "exit status 1: secret output"),
            file: "/etc/secret/a.yaml", line: 3)
        let id = try #require(DefinitionID("tea"))
        state.take([ItemCache.Look(id: id, item: item, end: .distantFuture)], now: at(0))
        all += viewers(.event(start)) + viewers(.snapshot)
        for viewer in all.dropFirst(2) { state.join(viewer, reading) }
        for viewer in all {
            let text = await text(viewer)
            #expect(text.contains("\"tea\""))
            #expect(text.components(separatedBy: "secret").count == (viewer.seesAll ? 4 : 1), "\(text)")
        }
    }

    @Test("the problems of files, which name paths, go only to those who may see them, also when they come back")
    func problems() async {
        let reading = ClockReading(now: at(0), setBy: .zero)
        var state = EventHubState(run: "k")
        state.expectViewer(now: at(0))
        state.take(all: [], now: at(0))
        let start = state.position
        let (reader, other) = (
            viewer(1, .snapshot, seesAll: false), viewer(2, .snapshot, seesAll: true)
        )
        for viewer in [reader, other] { state.join(viewer, reading) }
        state.take(problems: ["/etc/tminus/a.yaml: broken"], now: at(0))
        let late = [
            viewer(3, .event(start), seesAll: false), viewer(4, .event(start), seesAll: true),
            viewer(5, .items(start), seesAll: false), viewer(6, .snapshot, seesAll: false),
            viewer(7, .snapshot, seesAll: true),
        ]
        for viewer in late { state.join(viewer, reading) }
        for viewer in [reader, other] + late {
            let seen = await text(viewer).contains("/etc/tminus")
            #expect(seen == viewer.seesAll, "\(viewer.id)")
        }
    }
}

@Suite("The time for viewers")
struct EventTimeTests {
    @Test("who asks for it is told who answers, and then the time every 15 s")
    func everyInterval() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let stream = try await follow(harness, "?clock")
            let hello = try await stream.read(until: "event: snapshot")
            #expect(hello.contains(#"data: {"version":"test","level":"socket","now":"\#(at(0).rfc3339)"}"#), "\(hello)")
            for second in [15.0, 30] {
                try #require(await harness.clock.waitForDeadline(at(second), upTo: Bounded.limit))
                harness.clock.advance(by: .seconds(15))
                let text = try await stream.read(until: #"{"now":"\#(at(second).rfc3339)"}"#)
                #expect(text.contains("event: clock\ndata: "))
                #expect(!text.contains("id: "), "\(text)")
            }
        }
    }

    @Test("a clock that was set is told at once")
    func clockSet() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let stream = try await follow(harness, "?clock=true")
            _ = try await stream.read(until: "event: snapshot")
            try #require(await harness.clock.waitForDeadline(at(15), upTo: Bounded.limit))
            harness.clock.set(to: at(-3_600))
            _ = try await stream.read(until: #"{"now":"\#(at(-3_600).rfc3339)"}"#)
            harness.clock.set(to: at(-3_597))
            _ = try await stream.read(until: #"{"now":"\#(at(-3_597).rfc3339)"}"#)
        }
    }

    @Test("nobody else is told the time, and no alarm is armed for it")
    func onlyOnRequest() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let plain = try await follow(harness, "")
            let first = try await plain.read(until: "event: snapshot")
            #expect(!first.contains("event: hello"))
            #expect(harness.clock.nextDeadline == nil)
            let stream = try await follow(harness, "?clock")
            _ = try await stream.read(until: "event: snapshot")
            try #require(await harness.clock.waitForDeadline(at(15), upTo: Bounded.limit))
            harness.clock.advance(by: .seconds(15))
            _ = try await stream.read(until: "event: clock")
            harness.desk.put([.idle("coffee")])
            let text = try await plain.read(until: "\"coffee\"")
            #expect(!text.contains("event: clock"), "\(text)")
        }
    }

    @Test("a value of 'clock' that is neither true nor false is refused")
    func badValue() async throws {
        let harness = try ControlHarness()
        try await harness.run { (_: ControlClient) async throws in
            #expect(try await ask(harness, "/events?clock=often").hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("the pause after a change grows with the viewers, and is never longer than a quarter of a second")
    func pause() {
        #expect(EventHubState.pause(afterTelling: 0) == nil)
        #expect(EventHubState.pause(afterTelling: 20) == nil)
        #expect(EventHubState.pause(afterTelling: 21) == .microseconds(10_500))
        #expect(EventHubState.pause(afterTelling: 500) == .milliseconds(250))
        #expect(EventHubState.pause(afterTelling: 10_000) == .milliseconds(250))
    }
}

private func follow(_ harness: ControlHarness, _ query: String, _ headers: String = "") async throws -> RawSocket {
    let socket = try RawSocket(harness.path)
    try await socket.write("GET /events\(query) HTTP/1.1\r\nhost: x\r\n\(headers)\r\n")
    return socket
}

private func ask(_ harness: ControlHarness, _ path: String) async throws -> String {
    let socket = try RawSocket(harness.path)
    try await socket.write("GET \(path) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    return try await socket.readToEnd()
}

/// The position that comes with the items.
private func itemPosition(of harness: ControlHarness) async throws -> String {
    let answer = try await ask(harness, "/items?events=true")
    let match = try #require(answer.firstMatch(of: /(?i)\r\ntminus-event: ([0-9a-z]+-[0-9]+)\r\n/), "\(answer)")
    return String(match.output.1)
}
