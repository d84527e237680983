import Foundation
import Glibc
import PostgresTestServer
import Testing

/// Daemons whose database has another clock than their machine. The clock of the server is set by libfaketime.
@Suite(
    "Daemons and the clock of their database",
    .enabled(if: Cluster.hasClock, "needs PostgreSQL and libfaketime: apt-get install postgresql libfaketime"))
struct DatabaseClockTests {
    /// An event each second, whose lines only the leader writes.
    private static let ticks = """
        events:
          tick:
            every: 1s
            start: 2026-01-01T00:00:00Z
            catch-up: all
            on-expiry: [{ webhook-file: out.ndjson }, { shell: "true" }]

        """

    private static let differs = "the clock of this machine differs from that of the database"
    private static let agrees = "the clock of this machine agrees with that of the database again"

    /// The id and the instant of each line of ``ticks``, in seconds since the machine's clock showed `start`.
    private func ticks(_ scratch: Scratch, since start: Date) throws -> [(id: String, second: Int)] {
        try scratch.lines("out.ndjson").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let (id, time) = (try #require(object?["id"] as? String), try #require(object?["time"] as? String))
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return (id, Int(try Date(time, strategy: format).timeIntervalSince(start)))
        }
    }

    private func expectNoGap(_ seconds: [Int]) {
        guard let (first, last) = seconds.first.flatMap({ first in seconds.last.map { (first, $0) } }) else {
            Issue.record("nothing was sent")
            return
        }
        #expect(seconds == Array(first...last), "none is missing")
    }

    private func status(_ scratch: Scratch) async throws -> [String: Any] {
        let program = try Program(Program.tminus, ["status", "--json", "--state", scratch.state])
        _ = try await program.end()
        let object = try JSONSerialization.jsonObject(with: Data(program.output.texts.joined().utf8))
        return try #require(object as? [String: Any])
    }

    private func now(_ status: [String: Any]) throws -> Date {
        let text = try #require(status["now"] as? String)
        return try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")))
    }

    @Test(
        "what is due goes by the database's clock on every machine, and a take-over neither loses nor repeats anything",
        arguments: [3_600, -3_600])
    func wrongMachine(seconds: Int) async throws {
        let cluster = try await Cluster.startedWithClock()
        try await cluster.setClock(by: seconds)
        let store = try await cluster.database()
        let start = Date()
        let near = seconds - 600..<seconds + 600
        let (one, two) = (try Scratch(), try Scratch())
        for scratch in [one, two] { try scratch.save("a.yaml", Self.ticks) }
        let first = try RunningDaemon(in: one, ["--store", store, "--standby"])
        try await one.lines(2, of: "out.ndjson")
        let second = try RunningDaemon(in: two, ["--store", store, "--standby"])
        try await second.errors.first("that it delivers") { $0.contains("delivers beside the leader") }
        for daemon in [first, second] {
            try await daemon.errors.first("the difference") { $0.contains(Self.differs) }
        }
        try await one.answers()
        #expect(near.contains(Int(try now(try await status(one)).timeIntervalSince(start))))
        try await first.kill()
        try await two.lines(2, of: "out.ndjson")
        #expect(try await second.stop() == 0)

        let ticks = try ticks(one, since: start) + ticks(two, since: start)
        let ids = Dictionary(grouping: ticks, by: \.second).mapValues { Set($0.map(\.id)) }
        #expect(ids.values.allSatisfy { $0.count == 1 })
        #expect(ids.keys.allSatisfy(near.contains), "\(ids.keys.sorted())")
        expectNoGap(ids.keys.sorted())
        for daemon in [first, second] {
            #expect(daemon.errors.texts.count { $0.contains(Self.differs) } == 1)
            #expect(!daemon.errors.texts.contains { $0.contains("the wall clock was set") })
        }
        // What each machine has recorded of its attempts.
        let (from, to) = (
            Int(start.timeIntervalSince1970) + near.lowerBound, Int(start.timeIntervalSince1970) + near.upperBound
        )
        let strays =
            "SELECT count(*) FROM tminus.attempt WHERE started / 1000000000 NOT BETWEEN \(from) AND \(to) OR ended < started"
        #expect(try await cluster.query(strays, in: store) == ["0"])
    }

    @Test("wrong clocks of two machines, and setting one of them, change nothing in what fires and when")
    func wrongMachines() async throws {
        let store = try await Cluster.shared().database()
        let start = Date()
        let (one, two) = (try Scratch(), try Scratch())
        func set(_ scratch: Scratch, by seconds: String) throws {
            try Data("\(seconds)\n".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/clock"), options: .atomic)
        }
        func run(_ scratch: Scratch) throws -> RunningDaemon {
            try scratch.save("a.yaml", Self.ticks)
            let environment = Program.environment.merging(
                try Cluster.clockEnvironment(file: "\(scratch.path)/clock")
            ) { $1 }
            return try RunningDaemon(in: scratch, ["--store", store, "--standby"], environment: environment)
        }
        try set(one, by: "+3600")
        try set(two, by: "-90")
        let first = try run(one)
        let count = try await one.lines(2, of: "out.ndjson").count
        let second = try run(two)
        try await second.errors.first("that it delivers") { $0.contains("delivers beside the leader") }
        try set(one, by: "+86400")
        try await one.lines(count + 3, of: "out.ndjson")
        try set(one, by: "-86400")
        try await one.lines(count + 6, of: "out.ndjson")
        try await first.kill()
        try await two.lines(2, of: "out.ndjson")
        #expect(try await second.stop() == 0)

        let ticks = try ticks(one, since: start) + ticks(two, since: start)
        let ids = Dictionary(grouping: ticks, by: \.second).mapValues { Set($0.map(\.id)) }
        #expect(ids.values.allSatisfy { $0.count == 1 })
        #expect(ids.keys.allSatisfy { (-600..<600).contains($0) }, "\(ids.keys.sorted())")
        expectNoGap(ids.keys.sorted())
        for daemon in [first, second] {
            #expect(daemon.errors.texts.count { $0.contains(Self.differs) } == 1)
            #expect(!daemon.errors.texts.contains { $0.contains("the wall clock was set") })
        }
    }

    @Test("a database whose clock is set is a clock that was set: what it passes over goes out, and a countdown stays")
    func set() async throws {
        let cluster = try await Cluster.startedWithClock()
        let store = try await cluster.database()
        let scratch = try Scratch()
        // An hour from now is between the two.
        let instant = Date().addingTimeInterval(1_800).formatted(.iso8601)
        try scratch.save(
            "a.yaml",
            """
            sinks: { out: { shell: echo $TMINUS_NAME >>ran } }
            defaults: { on-expiry: [out] }
            events: { event: { at: "\(instant)" } }
            timers: { countdown: { duration: 40m } }

            """)
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--store", store])
        let port = try await daemon.port()
        try await daemon.ready()
        func distance(_ what: String, until isWanted: (Double) -> Bool) async throws {
            try await WebAnswer.get(port, "/metrics", what) { answer in
                let name = "tminus_clock_distance_seconds "
                let line = answer.body.split(separator: "\n").first { $0.hasPrefix(name) }
                return line.flatMap { Double($0.dropFirst(name.count)) }.map(isWanted) ?? false
            }
        }
        try await distance("no distance") { abs($0) < 1 }

        try await cluster.setClock(by: 3_600)
        #expect(try await scratch.lines(1, of: "ran") == ["event"])
        try await distance("an hour") { abs($0 + 3_600) < 1 }
        try await daemon.errors.first("the difference") { $0.contains(Self.differs) }
        try await daemon.errors.first("the step") { $0.contains("the wall clock was set") }

        try await cluster.setClock(by: 0)
        try await daemon.errors.first("that it is right again") { $0.contains(Self.agrees) }
        try await distance("no distance") { abs($0) < 1 }
        #expect(scratch.lines("ran") == ["event"], "the countdown goes on, and the event does not come again")
        #expect(try await daemon.stop() == 0)
    }

    @Test("a server that comes back with another clock, as another primary does, is followed")
    func anotherPrimary() async throws {
        let cluster = try await Cluster.startedWithClock()
        let store = try await cluster.database()
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.ticks)
        let start = Date()
        let daemon = try RunningDaemon(in: scratch, ["--store", store])
        try await scratch.lines(2, of: "out.ndjson")
        try await cluster.stop()
        try await cluster.setClock(by: 600)
        try await cluster.start()
        try await daemon.errors.first("the step") { $0.contains("the wall clock was set") }
        try await scratch.lines(400, of: "out.ndjson")
        #expect(try await daemon.stop() == 0)
        let ticks = try ticks(scratch, since: start)
        let ids = Dictionary(grouping: ticks, by: \.second).mapValues { Set($0.map(\.id)) }
        #expect(ids.values.allSatisfy { $0.count == 1 })
        expectNoGap(ids.keys.sorted())
    }
}
