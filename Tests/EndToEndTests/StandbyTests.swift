import Foundation
import Glibc
import PostgresTestServer
import Testing
import TminusTestKit

/// Two daemons with state directories and copies of the definitions of their own, and one database: `tminus run --standby`.
@Suite(
    "A daemon that stands by", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct StandbyTests {
    /// One machine: its directories, and its daemon.
    private struct Machine {
        let scratch: Scratch
        let daemon: RunningDaemon

        init(_ store: String, _ files: [String: String], _ options: [String] = []) throws {
            scratch = try Scratch()
            for (name, text) in files { try scratch.save(name, text) }
            daemon = try RunningDaemon(in: scratch, ["--store", store, "--standby"] + options)
        }

        /// Waits until it stands by for the other one.
        func follows(_ other: Machine) async throws {
            try await daemon.errors.first("the leader") {
                $0.contains("stands by; ") && $0.contains(", process \(other.daemon.program.id) leads")
            }
        }

        /// Waits until it forwards commands.
        func forwards() async throws {
            try await Bounded.value("the socket of the daemon that stands by") {
                // The socket appears without telling anybody.
                while try await Program(Program.tminus, ["list", "--state", scratch.state]).end() != 0 {}
            }
        }

        /// Waits until it has taken over.
        func leads() async throws {
            try await daemon.errors.first("the take-over") { $0.contains("takes over") }
        }

        /// The events that its `webhook-file` sinks wrote.
        func events() throws -> [CloudEvent] { try scratch.lines("out.ndjson").map(CloudEvent.init) }
    }

    /// What a sink received, as far as these tests look at it.
    private struct CloudEvent {
        let id: String
        let source: String
        let time: String

        init(_ line: String) throws {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            func text(_ name: String) throws -> String { try #require(object?[name] as? String) }
            (id, source, time) = (try text("id"), try text("source"), try text("time"))
        }
    }

    /// An event each second. The inline sinks are in a file of a subdirectory, so their directory counts.
    private static let ticks = """
        events:
          tick:
            every: 1s
            start: 2026-01-01T00:00:00Z
            catch-up: all
            on-expiry: [{ webhook-file: out.ndjson }]

        """

    /// Something that comes due never.
    private static let idle = ["a.yaml": "stopwatches: { run: {} }\n"]

    /// Checks what two machines have delivered of ``ticks``: each second at least once, with one id and one source.
    private func check(_ machines: Machine..., source: String = "/tminus/tminus") throws {
        let events = try machines.flatMap { try $0.events() }
        let ids = Dictionary(grouping: events, by: \.time).mapValues { Set($0.map(\.id)) }
        #expect(ids.values.allSatisfy { $0.count == 1 }, "\(ids.filter { $0.value.count > 1 })")
        #expect(Set(events.map(\.source)) == [source])
        let seconds = try ids.keys.map { try Int(Date($0, strategy: .tick).timeIntervalSince1970) }.sorted()
        let (first, last) = (try #require(seconds.first), try #require(seconds.last))
        #expect(seconds == Array(first...last), "none is missing")
    }

    private func tminus(
        _ words: String...
    ) async throws -> (status: CInt, output: String, errors: String) {
        let program = try Program(Program.tminus, words)
        let status = try await program.end()
        return (status, program.output.texts.joined(separator: "\n"), program.errors.texts.joined(separator: "\n"))
    }

    @Test("when the leader is killed the other takes over: nothing is lost, and nothing has two ids or sources")
    func killed() async throws {
        let store = try await Cluster.shared().database()
        let files = ["a.yaml": Self.ticks]
        let first = try Machine(store, files)
        try await first.scratch.lines(2, of: "out.ndjson")
        let second = try Machine(store, files)
        try await second.follows(first)
        try await first.daemon.kill()
        try await second.leads()
        try await second.scratch.lines(2, of: "out.ndjson")
        #expect(second.daemon.output.texts.isEmpty)
        #expect(try await second.daemon.stop() == 0)
        try check(first, second)
    }

    @Test("a delivery of the killed leader that waits for a retry goes out on the other machine with the same id")
    func retry() async throws {
        let store = try await Cluster.shared().database()
        let hook = "echo $TMINUS_DELIVERY $TMINUS_ATTEMPT >>tried; exit 75"
        let files = [
            "a.yaml": "timers: { t: { duration: 1ms, on-expiry: [{ shell: '\(hook)', retry: { max: 1s } }] } }\n"
        ]
        let first = try Machine(store, files)
        try await first.scratch.lines(1, of: "tried")
        let second = try Machine(store, files)
        try await second.follows(first)
        try await first.daemon.kill()
        let tried = try await second.scratch.lines(1, of: "tried")
        try await second.daemon.stop()
        #expect(tried[0].split(separator: " ")[0] == first.scratch.lines("tried")[0].split(separator: " ")[0])
        #expect(!tried[0].hasSuffix(" 1"))
    }

    /// Timers whose commands write who they are, one at a time on each machine, and end when the file `go` is there.
    private static func held(_ count: Int, until go: String) -> [String: String] {
        // A shell has no event for a file that another process makes.
        let hook = "echo $TMINUS_DELIVERY >>ran; until [ -e \(go) ]; do sleep 0.05; done"
        let timers = (1...count).map { "  t\($0): { duration: 1ms, on-expiry: [hook] }\n" }
        return [
            "a.yaml": """
            sinks:
              hook: { shell: '\(hook)', max-concurrent: 1 }
            timers:
            \(timers.joined())
            """
        ]
    }

    @Test("a machine that stands by delivers what the leader has no room for; status names it")
    func follower() async throws {
        let store = try await Cluster.shared().database()
        let shared = try Scratch()
        let files = Self.held(2, until: "\(shared.config)/go")
        let first = try Machine(store, files)
        let one = try await first.scratch.lines(1, of: "ran")
        let second = try Machine(store, files)
        try await second.follows(first)
        let two = try await second.scratch.lines(1, of: "ran")
        #expect(one[0] != two[0])
        let follower = ", process \(second.daemon.program.id)"
        try await first.daemon.errors.first("the follower") { $0.contains("a follower delivers too") }
        let status = try await tminus("status", "--state", first.scratch.state).output.split(separator: "\n")
        #expect(status.contains { $0.hasPrefix("follower") && $0.contains(follower) }, "\(status)")
        try shared.save("go", "")
        let delivered = "SELECT number FROM tminus.delivery WHERE state = 'delivered'"
        try await Bounded.value("both ends") {
            while try await Cluster.shared().query(delivered, in: store).count < 2 {}
        }
        let made = try await tminus("deliveries", "--json", "--state", first.scratch.state).output
        for machine in [first, second] { #expect(made.contains(", process \(machine.daemon.program.id)\""), "\(made)") }
        #expect(try await second.daemon.stop() == 0)
        try await first.daemon.errors.first("its end") { $0.contains("a follower has ended") }
        #expect(try await first.daemon.stop() == 0)
        #expect(first.scratch.lines("ran") == one && second.scratch.lines("ran") == two, "nothing ran twice")
    }

    @Test("a sink runs on the machine with its label; status names one that no machine may run, and the labels")
    func labels() async throws {
        let store = try await Cluster.shared().database()
        let hook = "{ shell: 'echo $TMINUS_ID >>ran', run-on: [backup] }"
        let files = ["a.yaml": "timers: { t: { duration: 1ms, on-expiry: [\(hook)] } }\n"]
        let first = try Machine(store, files, ["--label", "zone=eu"])
        try await first.daemon.errors.first("the warning") {
            $0.contains("no machine has the labels that a sink asks for")
        }
        let state = first.scratch.state
        try await Bounded.value("the delivery that waits") {
            while try await !tminus("status", "--state", state).output.contains(
                "for a machine with the labels backup")
            {}
        }
        let second = try Machine(store, files, ["--label", "backup"])
        #expect(try await second.scratch.lines(1, of: "ran") == ["t"])
        try await first.daemon.errors.first("the end of it") { $0.contains("there is a machine for each sink again") }
        let status = try await tminus("status", "--state", first.scratch.state).output
        #expect(!status.contains("for a machine with the labels"), "\(status)")
        let line = status.split(separator: "\n").first { $0.hasPrefix("follower") }
        #expect(line?.contains(": backup, host=") == true, "\(status)")
        #expect(first.scratch.lines("ran").isEmpty)
        #expect(try await second.daemon.stop() == 0)
        #expect(try await first.daemon.stop() == 0)
    }

    @Test("the leader knows the hash of the definition files of a machine that stands by, and of each edit there")
    func hashes() async throws {
        let store = try await Cluster.shared().database()
        let first = try Machine(store, Self.idle)
        try await first.daemon.ready()
        let second = try Machine(store, Self.idle)
        let state = first.scratch.state
        @Sendable func hashes() async throws -> (own: String?, other: String?) {
            let text = try await tminus("status", "--json", "--state", state).output
            let status = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let followers = status?["followers"] as? [[String: Any]]
            return (
                (status?["live"] as? [String: Any])?["hash"] as? String, followers?.first?["hash"] as? String
            )
        }
        try await Bounded.value("the same hash") {
            while true {
                let found = try await hashes()
                if found.own != nil, found.own == found.other { break }
            }
        }
        try second.scratch.save("b.yaml", "stopwatches: { walk: {} }\n")
        try await Bounded.value("another hash") {
            while true {
                let found = try await hashes()
                if found.other != nil, found.own != found.other { break }
            }
        }
        #expect(try await second.daemon.stop() == 0)
        #expect(try await first.daemon.stop() == 0)
    }

    @Test("a machine whose files are behind takes over what is in force, says so, and learns what it is missing")
    func behind() async throws {
        let store = try await Cluster.shared().database()
        let old = "timers: { tea: { name: Old, duration: 1h } }\n"
        let new = "timers: { tea: { name: New, duration: 1h } }\n"
        let more = "timers: { more: { duration: 1h } }\n"
        let first = try Machine(store, ["a.yaml": old, "gone.yaml": "timers: { gone: { duration: 1h } }\n"])
        try await first.daemon.ready()
        try first.scratch.save("a.yaml", new)
        try first.scratch.save("b.yaml", more)
        try first.scratch.remove("gone.yaml")
        let state = first.scratch.state
        _ = try await tminus("reload", "--wait", "--state", state)
        #expect(try await tminus("list", "--state", state).output.contains("New"))
        let second = try Machine(store, ["a.yaml": old, "gone.yaml": "timers: { gone: { duration: 1h } }\n"])
        try await second.follows(first)
        #expect(try await first.daemon.stop() == 0)
        try await second.daemon.ready()
        @Sendable func list() async throws -> String {
            try await tminus("list", "--state", second.scratch.state).output
        }
        let found = try await list()
        #expect(found.contains("New") && found.contains("more"), "\(found)")
        #expect(try await tminus("show", "gone", "--state", second.scratch.state).status != 0)
        let status = try await tminus("status", "--state", second.scratch.state).output
        let warnings = ["'a.yaml' is older", "'b.yaml' is not on", "'gone.yaml' was removed"]
        for words in warnings { #expect(status.contains(words), "\(status)") }
        _ = try await tminus("reload", "--wait", "--state", second.scratch.state)
        #expect(try await list().contains("New"))
        // It is brought up to date, and then counts.
        try second.scratch.save("a.yaml", new)
        try second.scratch.save("b.yaml", more)
        try second.scratch.remove("gone.yaml")
        _ = try await tminus("reload", "--wait", "--state", second.scratch.state)
        let clean = try await tminus("status", "--state", second.scratch.state).output
        #expect(!clean.contains("problem"), "\(clean)")
        try second.scratch.save("a.yaml", old)
        _ = try await tminus("reload", "--wait", "--state", second.scratch.state)
        #expect(try await list().contains("Old"))
        #expect(try await second.daemon.stop() == 0)
        // It is new, what it has was in force before, and one file is missing.
        let third = try Machine(store, ["a.yaml": new], ["--own-files"])
        try await third.daemon.ready()
        let own = try await tminus("list", "--state", third.scratch.state).output
        #expect(own.contains("New") && !own.contains("more") && !own.contains("problem"), "\(own)")
        #expect(try await third.daemon.stop() == 0)
    }

    @Test("edits during an outage of the database are in force after it, also for a machine whose files are behind")
    func editsDuringOutage() async throws {
        let cluster = try await Cluster.started()
        let store = try await cluster.database()
        let old = "timers: { tea: { name: Old, duration: 1h } }\n"
        let first = try Machine(store, ["a.yaml": old])
        try await first.daemon.ready()
        let second = try Machine(store, ["a.yaml": old])
        try await second.follows(first)
        let known = "SELECT 1 FROM tminus.machine_files HAVING count(*) = 2"
        try await Bounded.value("the files of both") { while try await cluster.query(known, in: store).isEmpty {} }
        try await cluster.stop()
        try first.scratch.save("a.yaml", "timers: { tea: { name: New, duration: 1h } }\n")
        try await first.daemon.errors.first("the refusal") { $0.contains("edits wait") }
        // A second one joins the first.
        try first.scratch.save("b.yaml", "timers: { more: { duration: 1h } }\n")
        second.daemon.program.send(SIGSTOP)
        try await cluster.start()
        @Sendable func isNew(_ machine: Machine) async throws -> Bool {
            let list = try await tminus("list", "--state", machine.scratch.state).output
            return list.contains("New") && list.contains("more")
        }
        try await Bounded.value("the edits") { while try await !isNew(first) {} }
        second.daemon.program.send(SIGCONT)
        try await first.daemon.kill()
        try await second.leads()
        try await second.daemon.ready()
        #expect(try await isNew(second))
        #expect(try await second.daemon.stop() == 0)
    }

    @Test("an invalid label is refused")
    func wrongLabel() async throws {
        let scratch = try Scratch()
        let run = try await tminus("run", "--config", scratch.config, "--state", scratch.state, "--label", "a b")
        #expect(run.status == 64)
        #expect(run.errors.contains("--label: 'a b' is not a label: write 1 to 100 letters"), "\(run.errors)")
    }

    @Test("what a killed follower had under way is made by another machine, with the same id")
    func killedFollower() async throws {
        let store = try await Cluster.shared().database()
        let shared = try Scratch()
        let files = Self.held(2, until: "\(shared.config)/go")
        let first = try Machine(store, files)
        try await first.scratch.lines(1, of: "ran")
        let second = try Machine(store, files)
        let two = try await second.scratch.lines(1, of: "ran")
        try await second.daemon.kill()
        try await first.daemon.errors.first("the release") { $0.contains("released interrupted deliveries") }
        try shared.save("go", "")
        #expect(try await first.scratch.lines(2, of: "ran")[1] == two[0])
        #expect(try await first.daemon.stop() == 0)
    }

    @Test("a command that runs on a follower is ended when its delivery is discarded")
    func discarded() async throws {
        let store = try await Cluster.shared().database()
        let shared = try Scratch()
        let first = try Machine(store, Self.held(2, until: "\(shared.config)/go"))
        try await first.scratch.lines(1, of: "ran")
        let second = try Machine(store, Self.held(2, until: "\(shared.config)/go"), ["--log-level", "debug"])
        let delivery = try await second.scratch.lines(1, of: "ran")[0]
        let answer = try await tminus("deliveries", "discard", delivery, "--state", first.scratch.state)
        #expect(answer.status == 0, "\(answer)")
        // Its place is free for the next one.
        try first.scratch.save("b.yaml", "timers: { t3: { duration: 1ms, on-expiry: [hook] } }\n")
        try await second.scratch.lines(2, of: "ran")
        try shared.save("go", "")
        #expect(try await second.daemon.stop() == 0)
        #expect(try await first.daemon.stop() == 0)
    }

    @Test("both machines compute the same ids, although their directories have other paths")
    func ids() async throws {
        let (one, two) = (try Scratch(), try Scratch())
        for scratch in [one, two] { try scratch.save("a.yaml", Self.ticks) }
        func simulation(_ scratch: Scratch) async throws -> String {
            try await tminus(
                "simulate", "--config", scratch.config, "--from", "2026-12-01T00:00:00Z", "--to",
                "2026-12-01T00:00:03Z", "--json"
            ).output
        }
        let output = try await simulation(one)
        #expect(output.contains("\"id\"") && output.contains("webhook-file:"))
        #expect(try await simulation(two) == output)
    }

    @Test("when the leader is stopped in order the other takes over at once, with nothing sent twice")
    func stopped() async throws {
        let store = try await Cluster.shared().database()
        let files = ["sub.yaml": Self.ticks]
        let first = try Machine(store, files, ["--fleet", "crew-7"])
        try await first.scratch.lines(2, of: "out.ndjson")
        let second = try Machine(store, files, ["--fleet", "crew-7"])
        try await second.follows(first)
        #expect(try await first.daemon.stop() == 0)
        // The lease is ended, so nobody waits for it.
        let held = "SELECT holder FROM tminus.lease WHERE holder LIKE '% process \(first.daemon.program.id) %'"
        #expect(try await Cluster.shared().query(held, in: store).isEmpty)
        try await second.leads()
        try await second.scratch.lines(2, of: "out.ndjson")
        #expect(try await second.daemon.stop() == 0)
        try check(first, second, source: "/tminus/crew-7")
        let ids = try (first.events() + second.events()).map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test("a leader that was stopped for longer than its lease ends when it wakes; nothing has two ids")
    func paused() async throws {
        let store = try await Cluster.shared().database()
        let files = ["a.yaml": Self.ticks]
        let first = try Machine(store, files)
        try await first.scratch.lines(2, of: "out.ndjson")
        let second = try Machine(store, files)
        try await second.follows(first)
        first.daemon.program.send(SIGSTOP)
        try await second.leads()
        try await second.scratch.lines(2, of: "out.ndjson")
        first.daemon.program.send(SIGCONT)
        // A status at which the unit of the package starts it again; then it stands by.
        #expect(try await first.daemon.program.end() == 74)
        #expect(
            first.daemon.errors.texts.contains { $0.contains("another daemon has taken this database over") },
            "\(first.daemon.errors.texts)")
        #expect(try await second.daemon.stop() == 0)
        try check(first, second)
    }

    @Test("while the database is restarted it goes on standing by, says each change once, and takes over later")
    func outage() async throws {
        let cluster = try await Cluster.started()
        let store = try await cluster.database()
        let first = try Machine(store, Self.idle)
        try await first.daemon.ready()
        let second = try Machine(store, Self.idle)
        try await second.follows(first)
        try await cluster.stop()
        let trouble = "stands by; the database does not answer"
        try await second.daemon.errors.first("the trouble") { $0.contains(trouble) }
        let state = second.scratch.state
        let probe = try await tminus("status", "--state", state, "--exit-code")
        #expect(probe.status == 1 && probe.output.hasPrefix("the database does not answer: postgresql:"), "\(probe)")
        let status = try await tminus("status", "--state", state)
        #expect(status.status == 74 && status.output.contains("problem  the database does not answer"), "\(status)")
        // The lease may have run out in the outage. The other one must not take it before the leader has renewed it.
        second.daemon.program.send(SIGSTOP)
        try await cluster.start()
        let renewed = "SELECT 1 FROM tminus.lease WHERE expires_at > now() + interval '5 seconds'"
        try await Bounded.value("the renewal") { while try await cluster.query(renewed, in: store).isEmpty {} }
        second.daemon.program.send(SIGCONT)
        try await second.daemon.errors.lines(2, "the leader again") { $0.contains(" leads") }
        #expect(second.daemon.errors.texts.filter { $0.contains(trouble) }.count == 1)
        #expect(try await tminus("status", "--state", state, "--exit-code").status == 0)
        try await first.daemon.kill()
        try await second.leads()
        try await second.daemon.ready()
        #expect(try await second.daemon.stop() == 0)
    }

    @Test("status says that it stands by and who leads")
    func commands() async throws {
        let store = try await Cluster.shared().database()
        let first = try Machine(store, Self.idle)
        try await first.daemon.ready()
        let second = try Machine(store, ["a.yaml": "timers: { tea: { duration: 1h } }\n"])
        try await second.follows(first)
        let (state, leader) = (second.scratch.state, ", process \(first.daemon.program.id)")
        let text = try await tminus("status", "--state", state)
        let shown = text.output.split(separator: "\n")
        #expect(text.status == 0 && shown[0] == "tminus  stands by, process \(second.daemon.program.id)", "\(text)")
        #expect(shown[1].hasPrefix("leader  ") && shown[1].hasSuffix(leader), "\(text)")
        let json = try await tminus("status", "--state", state, "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(json.status == 0 && object?["stands-by"] as? Bool == true)
        #expect((object?["leader"] as? String)?.hasSuffix(leader) == true && object?["problem"] == nil)
        #expect(object?["process-id"] as? Int == Int(second.daemon.program.id))
        let probe = try await tminus("status", "--state", state, "--exit-code")
        #expect(probe.status == 0 && probe.output.hasPrefix("stands by; ") && probe.output.hasSuffix(" leads"))
        let ready = try await tminus("status", "--state", state, "--ready")
        #expect(ready.status == 69 && ready.output == "not ready: stands by")
        chmod("\(second.scratch.config)/a.yaml", 0o666)
        let doctor = try await tminus("doctor", "--state", state)
        chmod("\(second.scratch.config)/a.yaml", 0o644)
        #expect(!doctor.output.contains("no-daemon") && !doctor.output.contains("no-config"), "\(doctor)")
        #expect(doctor.output.contains("\(second.scratch.config)/a.yaml"), "its own directory is examined: \(doctor)")
        try await first.daemon.stop()
        try await second.daemon.ready()
        #expect(try await tminus("list", "--state", state).output.contains("tea"))
        #expect(try await tminus("status", "--state", state).output.contains("generation 1"))
        #expect(try await second.daemon.stop() == 0)
    }

    @Test("commands on a machine that stands by reach the leader, which records who sent them from where")
    func forwarded() async throws {
        let store = try await Cluster.shared().database()
        let first = try Machine(store, ["a.yaml": "timers: { tea: { duration: 1h } }\n"])
        try await first.daemon.ready()
        let second = try Machine(store, Self.idle)
        try await second.follows(first)
        let state = second.scratch.state
        try await second.forwards()
        func answers(_ words: String...) async throws -> String {
            let program = try Program(Program.tminus, words + ["--state", state])
            #expect(try await program.end() == 0, "\(words): \(program.errors.texts)")
            return program.output.texts.joined(separator: "\n")
        }
        #expect(try await answers("list").contains("tea"))
        _ = try await answers("pause", "tea")
        #expect(try await tminus("show", "tea", "--state", first.scratch.state).output.contains("paused"))
        #expect(try await answers("show", "tea").contains("paused"))
        _ = try await answers("timer", "1h", "--id", "tag-1")
        #expect(try await answers("list").contains("tag-1"))
        _ = try await answers("reload", "--wait")
        #expect(try await answers("deliveries") == tminus("deliveries", "--state", first.scratch.state).output)
        try await first.daemon.errors.first("who sent it") { $0.contains("pause") && $0.contains(" on ") }
        // What the leader refuses is refused as there.
        let unknown = try await tminus("show", "none", "--state", state)
        let there = try await tminus("show", "none", "--state", first.scratch.state)
        #expect(unknown.status == there.status && unknown.errors == there.errors, "\(unknown) \(there)")
        #expect(try await second.daemon.stop() == 0)
        let left = try await Cluster.shared().query("SELECT id FROM tminus.forwarded_request", in: store)
        #expect(left.isEmpty)
        #expect(try await first.daemon.stop() == 0)
    }

    @Test(
        "an answer that no leader wrote ends nothing",
        arguments: ["{", "{\"status\":1000,\"headers\":{},\"body\":\"\"}"])
    func hostileAnswer(text: String) async throws {
        let cluster = try await Cluster.shared()
        let store = try await cluster.database()
        let first = try Machine(store, Self.idle)
        try await first.daemon.ready()
        let second = try Machine(store, Self.idle)
        try await second.follows(first)
        let state = second.scratch.state
        try await second.forwards()
        first.daemon.program.send(SIGSTOP)
        let asking = Task { try await tminus("list", "--state", state) }
        let write = """
            UPDATE tminus.forwarded_request SET answer = '\(text)', taken = (
                SELECT term FROM tminus.lease WHERE role = 'schedule') RETURNING id
            """
        try await Bounded.value("the request") { while try await cluster.query(write, in: store).isEmpty {} }
        let answer = try await asking.value
        #expect(answer.status == 70 || answer.status == 74, "\(answer)")
        first.daemon.program.send(SIGCONT)
        #expect(try await second.daemon.stop() == 0)
        try await first.daemon.stop()
    }

    @Test("while nobody leads, a command on a machine that stands by says that nothing was changed")
    func leaderless() async throws {
        let store = try await Cluster.shared().database()
        let first = try Machine(store, ["a.yaml": "timers: { tea: { duration: 1h } }\n"])
        try await first.daemon.ready()
        let second = try Machine(store, Self.idle)
        try await second.follows(first)
        let state = second.scratch.state
        try await second.forwards()
        first.daemon.program.send(SIGSTOP)
        let answer = try await tminus("pause", "tea", "--state", state)
        #expect(answer.status == 74 && answer.errors.contains("nothing was changed"), "\(answer)")
        try await second.leads()
        first.daemon.program.send(SIGCONT)
        #expect(try await first.daemon.program.end() == 74)
        try await second.daemon.ready()
        #expect(try await second.daemon.stop() == 0)
    }

    @Test("SIGTERM and SIGINT end it at once, and the leader stays", arguments: [SIGTERM, SIGINT])
    func ended(signal: CInt) async throws {
        let store = try await Cluster.shared().database()
        let first = try Machine(store, Self.idle)
        try await first.daemon.ready()
        let second = try Machine(store, Self.idle)
        try await second.follows(first)
        second.daemon.program.send(signal)
        #expect(try await second.daemon.program.end() == 0)
        #expect(second.daemon.errors.texts.last?.contains("tminus has ended") == true)
        let status = try await tminus("status", "--state", second.scratch.state)
        #expect(status.status == 69 && status.errors.contains("no daemon is running"), "\(status)")
        #expect(try await first.daemon.stop() == 0)
    }

    @Test("SIGTERM ends it also while it connects to a server that does not answer")
    func endedWhileConnecting() async throws {
        let server = try Program(
            "python3",
            [
                "-u", "-c",
                """
                import socket
                server = socket.create_server(("127.0.0.1", 0))
                print(server.getsockname()[1])
                kept = [server.accept()]
                print("connected")
                kept.append(server.accept())
                """,
            ])
        let port = try await server.output.first("a port") { _ in true }.text
        let machine = try Machine("postgresql://tminus@127.0.0.1:\(port)/none?connect_timeout=600", Self.idle)
        try await server.output.first("a connection") { $0 == "connected" }
        #expect(try await machine.daemon.stop() == 0)
        // It gives the server that time, and would then say that it does not answer.
        #expect(!machine.daemon.errors.texts.contains { $0.contains("the database does not answer") })
    }

    @Test("the service manager learns that it stands by, feeds on it, and learns when it leads")
    func serviceManager() async throws {
        let store = try await Cluster.shared().database()
        let first = try Machine(store, Self.idle)
        try await first.daemon.ready()
        let scratch = try Scratch()
        for (name, text) in Self.idle { try scratch.save(name, text) }
        let manager = try NotifyReceiver(in: scratch)
        let second = try RunningDaemon(
            in: scratch, ["--store", store, "--standby"], environment: manager.environment(["WATCHDOG_USEC": "400000"]))
        let ready = try await manager.texts(1)[0]
        #expect(ready.hasPrefix("READY=1\nSTATUS=stands by; ") && ready.hasSuffix(" leads"), "\(ready)")
        try await manager.pings(manager.pings.count + 5)
        #expect(manager.texts.count == 1)
        try await first.daemon.stop()
        try await manager.datagram("READY=1\nSTATUS=generation 1, 1 definition, all in force")
        try await manager.pings(manager.pings.count + 3)
        #expect(try await second.stop() == 0)
    }

    @Test("it needs a database, and a name that a host could have; both are said")
    func usage() async throws {
        let scratch = try Scratch()
        let standby = try RunningDaemon(in: scratch, ["--standby"])
        #expect(try await standby.program.end() == 64)
        #expect(standby.errors.texts.joined().contains("--standby needs a store that all machines reach"))
        for name in ["-a", "a-", "a b", "tminus/2", "ü", String(repeating: "a", count: 64)] {
            let fleet = try RunningDaemon(in: scratch, ["--fleet=\(name)"])
            #expect(try await fleet.program.end() == 64, "\(name)")
            #expect(fleet.errors.texts.joined().contains("--fleet: write 1 to 63 letters, digits and hyphens"))
        }
        let nobody = try RunningDaemon(
            in: scratch, ["--standby", "--store", "postgresql://tminus@/none?host=/nowhere"])
        #expect(try await nobody.program.end() == 74, "a wrong address ends it, as without --standby")
    }

    @Test("with SQLite the source has the name of the fleet too")
    func fleetOfOne() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { t: { duration: 1ms, on-expiry: [{ webhook-file: out.ndjson }] } }\n")
        let daemon = try RunningDaemon(in: scratch, ["--fleet", "Crew7"])
        let line = try await scratch.lines(1, of: "out.ndjson")[0]
        #expect(try CloudEvent(line).source == "/tminus/Crew7")
        #expect(try await daemon.stop() == 0)
    }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
    /// The instant of an event, with milliseconds.
    fileprivate static var tick: Self { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
