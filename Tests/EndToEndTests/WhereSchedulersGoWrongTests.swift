import Foundation
import Testing

/// Problems that users of other schedulers report, checked with the real program. The article on time lists all of them
/// with their tests.
@Suite("Where schedulers go wrong: the program")
struct WhereSchedulersGoWrongTests {
    @Test(
        "after two weeks down, a 5-second timer with catch-up 'all' sends the newest 1,000 in order and records the rest"
    )
    func twoWeeks() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "t.yaml",
            """
            timers:
              tick: { duration: 5s, repeat: immediately, catch-up: all, on-expiry: [{ webhook-file: out.ndjson }] }
              other: { duration: 5s, repeat: immediately, on-expiry: [{ webhook-file: out.ndjson }] }
            """)
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["2"])
        #expect(try await first.stop() == 0)
        // Pretend it stopped two weeks ago, however long the stop took.
        try? scratch.remove("out.ndjson")
        let weeks = 14 * 86_400
        try await scratch.change(
            """
            DELETE FROM delivery; DELETE FROM firing; DELETE FROM omission;
            UPDATE schedule SET "cursor" = "cursor" - \(weeks) * 1000000000, start = start - \(weeks) * 1000000000,
                deadline = deadline - \(weeks) * 1000000000, occurrences = 0 WHERE definition = 'tick'
            """)
        let begin = try #require(
            Int(try await scratch.query("SELECT start FROM schedule WHERE definition = 'tick'")[0]))

        let second = try RunningDaemon(in: scratch)
        // On a busy machine more of the other timer comes in between.
        try await scratch.lines(1_000, of: "out.ndjson", containing: #""catch-up":true"#)
        try await scratch.lines(1_003, of: "out.ndjson")
        #expect(try await second.stop() == 0)

        struct Sent: Decodable {
            struct Payload: Decodable {
                var id: String
                var late: Double
                var scheduled: String
                var fired: String
                var isCatchUp: Bool

                private enum CodingKeys: String, CodingKey {
                    case id, late, scheduled, fired
                    case isCatchUp = "catch-up"
                }
            }
            var data: Payload
        }
        let lines = scratch.lines("out.ndjson")
        let sent = try lines.map { try JSONDecoder().decode(Sent.self, from: Data($0.utf8)).data }
        let missed = sent.filter(\.isCatchUp)
        // Where the machine is so busy that a step takes more than 5 s, there are more.
        #expect(missed.count >= 1_000)
        #expect(missed.map(\.scheduled) == missed.map(\.scheduled).sorted(), "in order of their due time")
        // Catching up takes ten seconds. One definition's deliveries stay in order; those of others do not wait for it.
        let tick = sent.filter { $0.id == "tick" }
        #expect(tick.map(\.scheduled) == tick.map(\.scheduled).sorted())
        let other = try #require(sent.firstIndex { $0.id == "other" && !$0.isCatchUp })
        #expect(other < 1_000)
        // What comes due meanwhile is made on time, and waits for its turn.
        let seconds = ISO8601DateFormatter()
        let made = try sent.filter { !$0.isCatchUp }.map { payload in
            let instants = try [payload.scheduled, payload.fired].map { text in
                let whole = try #require(seconds.date(from: "\(text.prefix(19))Z")).timeIntervalSince1970
                return whole + (Double("0\(text.dropFirst(19).dropLast())") ?? 0)
            }
            return instants[1] - instants[0]
        }
        #expect(made.allSatisfy { $0 <= 5.5 })

        // Every occurrence since then is sent or counted, and the newest are the ones sent.
        let counts = try await scratch.query(
            "SELECT reason, sum(count) FROM omission WHERE definition = 'tick' GROUP BY reason ORDER BY reason")
        #expect(counts.map { $0.prefix { $0 != "|" } } == ["over-limit", "too-late"])
        let omitted = counts.compactMap { Int($0.drop { $0 != "|" }.dropFirst()) }.reduce(0, +)
        let fired = try await scratch.query("SELECT count(*), max(due) FROM firing WHERE definition = 'tick'")[0].split(
            separator: "|")
        let (firings, last) = (try #require(Int(fired[0])), try #require(Int(fired[1])))
        #expect(omitted + firings == (last - begin) / 5_000_000_000)
        let gaps = try await scratch.query(
            "SELECT (max(due) - min(due)) / 5000000000 - count(*) + 1 FROM firing WHERE definition = 'tick'")
        #expect(gaps == ["0"], "no gap among those sent")
    }

    @Test("after a burst of a thousand saves, the content on disk is in force")
    func saves() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        for number in 1...1_000 {
            try scratch.save("\(number % 10).yaml", "timers: { t\(number % 10): { duration: \(number)h } }\n")
        }
        let hours = "SELECT definition, (deadline - start) / 3600000000000 FROM schedule ORDER BY definition"
        try await scratch.query(hours, yields: (0...9).map { "t\($0)|\($0 == 0 ? 1_000 : 990 + $0)" })
        #expect(try await daemon.stop() == 0)
        #expect(!daemon.errors.texts.contains { $0.contains("error") && $0.contains(".yaml:") })
    }
}
