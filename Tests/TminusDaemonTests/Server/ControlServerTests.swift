import Foundation
import Glibc
import Testing
import TminusControl
import TminusCore
import TminusTestKit
import TminusWatch

@testable import TminusDaemon

@Suite("Control server")
struct ControlServerTests {
    /// Never called inside of `#expect`: a closure there gets the symbol of another closure of the same function, and that one runs.
    private func refusal(_ body: () async throws -> some Sendable) async throws -> ControlFailure {
        do {
            _ = try await body()
        } catch {
            return try #require(error as? ControlFailure)
        }
        throw ConformanceFailure("nothing was refused")
    }

    @Test("items are listed in the order of their next instants, and shown one by one")
    func items() async throws {
        let harness = try ControlHarness()
        harness.desk.put([
            .timer("late", left: .seconds(50), of: .seconds(60), at: at(0)),
            .timer("soon", left: .seconds(5), of: .seconds(60), at: at(0)), .idle("rest"),
        ])
        try await harness.run { (client: ControlClient) async throws in
            let items = try await client.items().items
            #expect(items.map(\.id) == ["soon", "late", "rest"])
            #expect(items[0].remaining == .seconds(5))
            #expect(try await client.item("late") == items[1])
            harness.clock.advance(by: .seconds(2))
            #expect(try await client.item("late").remaining == .seconds(48))
        }
    }

    @Test("items are listed page by page, each page in the order of their next instants, each item once")
    func pages() async throws {
        let harness = try ControlHarness()
        harness.desk.put((1...5).map { .timer("t\($0)", left: .seconds(60 - $0), of: .seconds(60), at: at(0)) })
        try await harness.run { (client: ControlClient) async throws in
            var pages: [[String]] = []
            var joined = JoinedArrays()
            var text: [UInt8] = []
            try await client.forEachPage(of: 2) { page in
                pages.append(try ControlClient.items(page).items.map(\.id))
                text += joined.add(page)
            }
            text += joined.end()
            #expect(pages == [["t2", "t1"], ["t4", "t3"], ["t5"]])
            #expect(try ControlClient.items(text).items.map(\.id) == pages.flatMap(\.self))
            #expect(try await client.items().items.map(\.id) == ["t5", "t4", "t3", "t2", "t1"])
        }
    }

    @Test("a control is attributed to the caller, and answered with the resulting item")
    func control() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.timer("tea", left: .seconds(50), of: .seconds(60), at: at(0))])
        try await harness.run { (client: ControlClient) async throws in
            #expect(try await client.perform(.pause, "tea").state == .paused)
            let muted = try await client.perform(.mute, "tea", ControlBody(length: "10m", note: "lunch"))
            #expect(muted.overrides.mute?.until == at(600))
            #expect(muted.overrides.mute?.origin.note == "lunch")
            let name = String(cString: getpwuid(geteuid()).pointee.pw_name)
            #expect(harness.desk.requests.map(\.by) == [name, name])
        }
    }

    @Test("an unknown id is answered with similar ones")
    func unknown() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("stand-up"), .idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            let shown = try await refusal { try await client.item("standup") }
            #expect(shown.kind == .refused(.notFound))
            #expect(shown.message == "there is no 'standup', did you mean 'stand-up'?")
            let started = try await refusal { try await client.perform(.start, "te") }
            #expect(started.message == "there is no 'te', did you mean 'tea'?")
            let past = try await refusal { try await client.history("nothing", limit: 5) }
            #expect(past.message == "there is no 'nothing'; 'tminus list' shows all ids")
            let odd = try await refusal { try await client.item("a/b c") }
            #expect(odd.kind == .refused(.notFound))
            #expect(
                odd.message == "'a/b c' is not an id: 1 to 64 of the characters A-Z a-z 0-9 . _ -")
            // The path of no id is that of all items.
            let empty = try await refusal { try await client.item("") }
            #expect(empty.kind == .refused(.notFound))
            #expect(empty.message.hasPrefix("'' is not an id"))
            let escape = try await refusal { try await client.perform(.start, "te\u{1b}a") }
            #expect(escape.message.hasPrefix("'te\\u{1b}a' is not an id"))
        }
    }

    @Test("before the first definitions no id is called unknown")
    func starting() async throws {
        let harness = try ControlHarness(isStarting: true)
        try await harness.run { (client: ControlClient) async throws in
            let shown = try await refusal { try await client.item("tea") }
            #expect(shown.kind == .refused(.unavailable))
            #expect(shown.message.contains("the daemon is still starting"))
            #expect(try await refusal { try await client.history("tea", limit: 1) } == shown)
        }
    }

    @Test("a name that is too long is refused with the limit")
    func longName() async throws {
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            let long = AdHocBody(name: String(repeating: "n", count: 201), id: "n", duration: "5m")
            let failure = try await refusal { try await client.add(long, as: "timers") }
            #expect(failure.kind == .refused(.badRequest))
            #expect(failure.message == "'name': is too long (201 characters, at most 200)")
            _ = try await client.add(
                AdHocBody(name: String(repeating: "n", count: 200), id: "n", duration: "5m"), as: "timers")
        }
    }

    @Test("a daemon that hangs is distinguished from one that does not run")
    func hangs() async throws {
        let harness = try ControlHarness()
        // Connections wait to be accepted, and nobody accepts them.
        let silent = try RawSocket(listeningAt: harness.path)
        let failure = try await refusal {
            try await ControlClient.connected(to: harness.path) {
                try await $0.send("GET", "/status", limit: .milliseconds(100))
            }
        }
        withExtendedLifetime(silent) {}
        #expect(failure.kind == .inputOutput)
        #expect(failure.message.hasPrefix("the daemon does not answer"))
    }

    @Test("an answer that is too long is distinguished from a daemon that has ended")
    func longAnswer() async throws {
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            let failure = try await refusal { try await client.send("GET", "/items", answerLimit: 1) }
            #expect(failure.kind == .inputOutput)
            #expect(failure.message == "the answer is larger than 1 bytes; use 'tminus show' for a single definition")
        }
    }

    @Test("a path that is not a socket is reported as such")
    func noSocket() async throws {
        let harness = try ControlHarness()
        for path in [harness.directory, "/etc/passwd"] {
            let failure = try await refusal { try await ControlClient.connected(to: path) { try await $0.status() } }
            #expect(
                failure == ControlFailure(.inputOutput, "\(path): is not a socket; give another path with --socket"))
        }
    }

    @Test(
        "the id of a timer without a file is made of the letters and digits of its name, or at random",
        arguments: [
            ("Focus", "focus"), ("\u{1f389} Party!", "party"), ("a\u{1b}[31m\n b", "a-31m-b"), ("-x", "x"),
            ("Kräuter Tee", "kraeuter-tee"), ("שלום", nil), (nil, nil),
        ])
    func namedWithoutFile(name: String?, id: String?) async throws {
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            let made = try await client.add(AdHocBody(name: name, duration: "5m"), as: "timers").id
            if let id { #expect(made == id) } else { #expect(made.hasPrefix("timer-") && made.count > 6) }
        }
    }

    @Test("a definition without a file is answered once the schedule publishes it, without polling")
    func followed() async throws {
        let harness = try ControlHarness(hasSlowDefinitions: true)
        try await harness.run { (client: ControlClient) async throws in
            let others = harness.desk.readers
            async let made = client.add(AdHocBody(id: "focus", duration: "5m"), as: "timers")
            try await harness.desk.waitForLook(otherThan: others)
            harness.desk.put([.idle("tea")])
            // Ten times as long as a poller would pause: that nothing happens can only be seen after a while.
            try await Task.sleep(for: .milliseconds(50))
            #expect(harness.desk.looks == 1)
            harness.desk.put([.timer("focus", left: .seconds(60), of: .seconds(60), at: at(0))])
            #expect(try await made.id == "focus")
            #expect(harness.desk.looks == 2)
        }
    }

    @Test("a control that does not apply is refused with those that do")
    func unfit() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            let failure = try await refusal { try await client.perform(.lap, "tea") }
            #expect(failure.kind == .refused(.unfit))
            #expect(failure.message == "tea: it is idle; allowed: start, pause")
        }
    }

    @Test(
        "a wrong request is refused with the reason",
        arguments: [
            ("mute", "{}", "mute needs an end: give 'until' or 'for'"),
            ("mute", #"{"for": "5"}"#, "'for': '5' has no unit; write '5s', '5m', '5h' or the like"),
            ("mute", #"{"until": "tomorrow"}"#, "'until': expected an instant such as 2026-12-01T09:00:00Z"),
            (
                "mute", #"{"until": "2201-01-01T00:00:00Z"}"#,
                "'until': '2201-01-01T00:00:00Z': year 2201 is out of range; write a year from 1900 to 2200"
            ),
            ("mute", #"{"for": "201y"}"#, "'for': '201y' is too long; write at most 200 years"),
            ("start", #"{"for": "5m"}"#, "'for': only snooze and mute take it"),
            ("skip", #"{"note": "\#(String(repeating: "x", count: 1_001))"}"#, "'note': at most 1000 characters"),
            ("start", #"{"add": 5}"#, "'add': expected a string"),
            ("start", #"{"ad": "5m"}"#, "unknown member 'ad'; expected one of 'add', 'until', 'note', 'for'"),
            ("start", "{", "the body is not JSON"), ("start", "[]", "expected an object"),
        ])
    func badRequest(verb: String, body: String, message: String) async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            let failure = try await refusal {
                try await client.send("POST", "/items/tea/\(verb)", body: Array(body.utf8))
            }
            #expect(failure.kind == .refused(.badRequest))
            if !message.contains("no unit") { #expect(failure.message == message) }
            #expect(harness.desk.requests.isEmpty)
        }
    }

    @Test("what acts on all deliveries of a filter refuses a name that it does not know")
    func misspeltFilter() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            for verb in ["retry", "discard"] {
                let failure = try await refusal {
                    try await client.send("POST", "/deliveries/\(verb)?sink=ops&definiton=tea")
                }
                #expect(failure.message == "unknown parameter 'definiton'; expected 'definition' or 'sink'")
            }
        }
    }

    @Test("unknown routes and methods are refused")
    func routes() async throws {
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            let missing = try await refusal { try await client.send("GET", "/nothing") }
            #expect(missing.kind == .refused(.notFound))
            let socket = try RawSocket(harness.path)
            try await socket.write("GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n")
            #expect(try await socket.read(until: "}").hasPrefix("HTTP/1.1 404 "))
            try await socket.write("DELETE /items HTTP/1.1\r\nhost: x\r\n\r\n")
            let answer = try await socket.read(until: "}")
            #expect(answer.hasPrefix("HTTP/1.1 405 "))
            #expect(answer.lowercased().contains("\r\nallow: get\r\n"))
            // A method that nobody had thought of is answered like the others.
            try await socket.write("QUERY /items/tea HTTP/1.1\r\nhost: x\r\n\r\n")
            let query = try await socket.read(until: "}")
            #expect(query.hasPrefix("HTTP/1.1 405 "))
            #expect(query.lowercased().contains("\r\nallow: delete, get\r\n"))
            let failure = try await refusal { try await client.send("DELETE", "/items") }
            #expect(failure.kind == .refused(.wrongMethod))
            #expect(failure.message == "/items supports only GET")
        }
    }

    @Test("a body of 100 MB is refused without being read, and the next request is answered")
    func giantBody() async throws {
        // In a process of its own, whose memory no other test uses.
        await #expect(processExitsWith: .success) {
            let harness = try ControlHarness()
            harness.desk.put([.idle("tea")])
            try await harness.run { (client: ControlClient) async throws in
                let before = try residentKilobytes()
                for _ in 0..<3 {
                    let socket = try RawSocket(harness.path)
                    try await socket.write(
                        "POST /items/tea/start HTTP/1.1\r\nhost: x\r\ncontent-length: 104857600\r\n\r\n")
                    let answer = try await socket.read(until: "\r\n\r\n")
                    try #require(answer.hasPrefix("HTTP/1.1 413 "))
                    let chunk = String(repeating: "x", count: 1 << 20)
                    for _ in 0..<100 { try await socket.write(chunk) }
                }
                let grown = try residentKilobytes() - before
                try #require(grown < 50_000)
                try #require(await client.item("tea").state == .idle)
            }
        }
    }

    @Test("deliveries are filtered, and an unknown delivery cannot be retried")
    func deliveries() async throws {
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            #expect(try await client.deliveries(states: ["dead", "pending"], limit: 5) == [])
            let odd = try await refusal { try await client.deliveries(states: ["odd"], limit: 5) }
            #expect(odd.kind == .refused(.badRequest))
            let none = try await refusal { try await client.deliveries(limit: 0) }
            #expect(none.kind == .refused(.badRequest))
            let retried = try await refusal { try await client.retry(delivery: "x y") }
            #expect(retried.kind == .refused(.notFound))
        }
    }

    @Test("the first digits of an id stand for it only if no other id begins with them")
    func ambiguousID() async throws {
        let harness = try ControlHarness()
        let tea = try #require(DefinitionID("tea"))
        @Sendable func id(_ second: Int) -> String {
            DeliveryID(
                definition: tea, occurrence: at(Double(second)), action: .expiry, sink: SinkKey("chat")
            ).rawValue
        }
        // Among 20,000 ids with 24 bits each, some begin with the same 6 digits.
        let alike = try #require(Dictionary(grouping: 0..<20_000) { id($0).prefix(6) }.first { $0.value.count > 1 })
        let seconds = Array(alike.value.prefix(2))
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            let firings = seconds.map { second in
                Firing(
                    definition: tea, occurrence: at(Double(second)), action: .expiry, due: at(Double(second)),
                    payload: .test, sinks: [SinkKey("chat")])
            }
            _ = try await harness.store.commit(Commit(firings: firings), now: at(0))
            let digits = String(alike.key)
            let refused = try await refusal { try await client.discard(delivery: digits) }
            #expect(refused.kind == .refused(.unfit))
            let ids = "\(id(seconds[1])) and \(id(seconds[0]))"
            #expect(refused.message == "several deliveries have ids that begin with '\(digits)', such as \(ids)")
            let common = zip(id(seconds[0]), id(seconds[1])).prefix { $0 == $1 }.count
            let enough = String(id(seconds[0]).prefix(common + 1))
            try await client.discard(delivery: enough.uppercased())
            #expect(try await client.deliveries(id: enough, limit: 5).map(\.id) == [id(seconds[0])])
        }
    }

    @Test("deliveries are discarded one by one, and all of a definition or to a sink, and the engine is told")
    func discard() async throws {
        let harness = try ControlHarness()
        var entry = ScheduleEntry.idle("tea")
        var definition = entry.definition
        definition.onExpiry = [SinkKey("chat"), SinkKey("mail")]
        entry = ScheduleEntry(definition: definition, state: entry.state)
        harness.desk.put([entry, .idle("soup")])
        try await harness.run { (client: ControlClient) async throws in
            let first = try await client.fire("tea", FireBody()).deliveries
            try await client.discard(delivery: first[0].id)
            let again = try await refusal { try await client.discard(delivery: first[0].id) }
            #expect(again.message == "\(first[0].id) is discarded: it cannot be discarded any more")
            for _ in 0..<3 {
                harness.clock.advance(by: .seconds(1))
                _ = try await client.fire("tea", FireBody())
            }
            #expect(try await client.discardAll(definition: nil, sink: "chat") == 3)
            #expect(try await client.discardAll(definition: "tea", sink: "chat") == 0)
            #expect(try await client.discardAll(definition: "tea", sink: nil) == 4)
            #expect(try await client.discardAll(definition: "soup", sink: nil) == 0)
            let unknown = try await refusal { try await client.discardAll(definition: "te", sink: nil) }
            #expect(unknown.kind == .refused(.notFound))
            let everything = try await refusal { try await client.discardAll(definition: nil, sink: nil) }
            #expect(everything.kind == .refused(.badRequest))
            #expect(try await client.retryAll(definition: "tea", sink: "chat") == 0, "discarded ones stay discarded")
            let another = try await refusal { try await client.retryAll(definition: "te", sink: nil) }
            #expect(another.kind == .refused(.notFound))
            let all = try await refusal { try await client.retryAll(definition: nil, sink: nil) }
            #expect(all.kind == .refused(.badRequest))
        }
        let told = harness.engine.takeAll().map { input in
            if case .discarded(let discarded) = input { discarded.deliveries.count } else { 0 }
        }
        #expect(told == [1, 3, 4])
    }

    @Test("the status is answered, and a generation can be awaited")
    func status() async throws {
        let harness = try ControlHarness(isStarting: true)
        try await harness.run { (client: ControlClient) async throws in
            let status = try await client.status()
            #expect(status.version == "test")
            #expect(status.live.generation == 0)
            #expect(status.config == "/config")
            let failure = try await refusal { try await client.wait(generation: 1, seconds: 1) }
            #expect(failure.kind == .refused(.unavailable))
            #expect(failure.message == "generation 1 was not reached within 1 s; it is 0")
            #expect(try await client.wait(generation: 0, seconds: 1).generation == 0)
        }
    }

    @Test("an awaited reload ends when everything was read again")
    func reload() async throws {
        let harness = try ControlHarness(isStarting: true)
        try await harness.run { (client: ControlClient) async throws in
            #expect(try await client.reload(waits: false).generation == 0)
            #expect(harness.reloads.value == 1)
            async let answer = client.reload(waits: true)
            #expect(await harness.reloads.wait(upTo: Bounded.limit) { $0 == 2 })
            harness.watch.update { $0.reloads += 1 }
            let live = try await answer
            #expect(live.generation == 0)
        }
    }

    @Test("an awaited reload waits until the state that the watcher has read is in force, also if it was read before")
    func reloadOfWhatWasRead() async throws {
        let harness = try ControlHarness(isStarting: true)
        // The watcher has sent a state that the loader has not loaded yet.
        harness.watch.update { $0.emissions = 1 }
        try await harness.run { (client: ControlClient) async throws in
            async let answer = client.reload(waits: true)
            #expect(await harness.reloads.wait(upTo: Bounded.limit) { $0 == 1 })
            harness.watch.update { $0.reloads += 1 }
            harness.board.publish(ControlHarness.load(ofState: 1))
            harness.board.publish(inForce: ControlHarness.load(ofState: 1))
            let live = try await answer
            #expect(live.generation == 1)
        }
    }

    @Test("an awaited reload fails while the store keeps the edits from being in force")
    func reloadRefused() async throws {
        let harness = try ControlHarness(isStarting: true)
        harness.watch.update { $0.emissions = 1 }
        try await harness.run { (client: ControlClient) async throws in
            let asking = Task { () async throws(ControlFailure) in try await client.reload(waits: true) }
            #expect(await harness.reloads.wait(upTo: Bounded.limit) { $0 == 1 })
            harness.watch.update { $0.reloads += 1 }
            harness.board.publish(ControlHarness.load(ofState: 1))
            harness.board.store(.refuses("no room"))
            let failure = await #expect(throws: ControlFailure.self) { try await asking.value }
            #expect(failure?.message == "the edits are read, and are in force once the store can be written: no room")
        }
    }
}

/// The memory of this process.
private func residentKilobytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (Int(text.split(separator: " ")[1]) ?? 0) * Int(getpagesize()) / 1_024
}
