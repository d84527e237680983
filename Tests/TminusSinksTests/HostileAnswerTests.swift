import Foundation
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

/// Damaged answers of webhook servers and plug-ins: each attempt ends, as delivered or with a reason, and the process lives on.
@Suite("Damaged answers", .serialized)
struct HostileAnswerTests {
    /// What holds however an attempt ended.
    private func judge(_ error: DeliveryError?, _ label: String) {
        guard let error else { return }
        #expect(!error.reason.isEmpty, "\(label)")
        #expect(error.reason.utf8.count < 2_000, "\(label): \(error.reason)")
        #expect(!error.reason.unicodeScalars.contains { $0.value < 0x20 }, "\(label): \(error.reason)")
        if let wait = error.retryAfter { #expect(wait >= .zero && wait <= .seconds(366 * 86_400), "\(label): \(wait)") }
    }

    @Test("every damaged answer of a webhook server ends the attempt, and the next one is answered", arguments: 0..<3)
    func webhooks(part: Int) async throws {
        let mutator = ByteMutator(Self.answers.map { Array($0.utf8) }, words: Self.words)
        let seeds = (0..<300).filter { $0 % 3 == part }
        // A connection that is left open may serve the next attempt: so there can be fewer connections than attempts.
        let server = try RawServer { mutator.mutant(seed: UInt64(seeds[$0 % seeds.count])).bytes }
        let hostile = try WebhookSink.test("http://127.0.0.1:\(server.port)/", timeout: .seconds(50))
        for seed in seeds { judge(try await hostile.attempt(), "seed about \(seed)") }
        await hostile.shutdown()
        let good = try RawServer { _ in Array("HTTP/1.1 204 No Content\r\n\r\n".utf8) }
        let sink = try WebhookSink.test("http://127.0.0.1:\(good.port)/")
        #expect(try await sink.attempt() == nil)
        await sink.shutdown()
    }

    @Test("every damaged place of a redirect is followed to a host or refused with a reason")
    func redirects() throws {
        let mutator = ByteMutator(Self.places.map { Array($0.utf8) }, words: Self.placeWords)
        let target = try WebhookTarget("https://user:pass@example.org/hook?key=1")
        for seed in 0..<3_000 {
            let place = String(decoding: mutator.mutant(seed: UInt64(seed)).bytes, as: UTF8.self)
            do throws(DeliveryError) {
                let next = try WebhookRedirect.of(status: 307, location: place, from: target, count: 0)
                #expect(next?.target.host.isEmpty == false, "seed \(seed): \(place)")
                #expect((1...65_535).contains(next?.target.port ?? 0), "seed \(seed): \(place)")
            } catch {
                judge(error, "seed \(seed)")
            }
        }
    }

    @Test("no line of a plug-in ends the process, and every delivery is settled exactly once", arguments: 0..<4)
    func ledger(part: Int) {
        let mutator = ByteMutator(Self.lines.map { Array($0.utf8) }, words: Self.lineWords)
        let start = ContinuousClock.now
        for seed in (0..<2_000).filter({ $0 % 4 == part }) {
            var random = SeededRandom(UInt64(seed))
            var ledger = PluginLedger(
                PluginSettings(
                    program: "/p", directory: "/", timeout: .seconds(10), startLimit: .seconds(5), maxConcurrent: 3))
            var settled: [Int: Int] = [:]
            var tickets = 0
            func count(_ effects: [PluginLedger.Effect]) {
                for case .settle(let ticket, let result) in effects {
                    settled[ticket, default: 0] += 1
                    if case .failure(let error) = result { judge(error, "seed \(seed)") }
                }
            }
            if seed % 2 == 0 { count(ledger.receive(Array(#"{"ready":1,"max-concurrent":2}"#.utf8), now: start)) }
            for step in 0..<30 {
                let now = start + .seconds(step)
                switch random.below(6) {
                case 0:
                    tickets += 1
                    count(ledger.submit(tickets, id: "d\(random.below(4))", line: [0], now: now))
                case 1: count(ledger.cancel(random.below(tickets + 1)))
                case 2: count(ledger.expire(random.below(tickets + 1), now: now))
                default:
                    let line = mutator.mutant(seed: UInt64(seed * 30 + step)).bytes
                    count(ledger.receive(line, now: now))
                }
            }
            count(ledger.fail(.transient("gone")))
            #expect(settled.count == tickets && settled.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        }
    }

    @Test("every damaged output of a plug-in ends the attempt, and a sound one after it is heard")
    func plugins() async throws {
        let session = [Self.lines[0], Self.lines[2], Self.lines[3]].joined(separator: "\n") + "\n"
        let mutator = ByteMutator(
            [session, Self.lines.joined(separator: "\n")].map { Array($0.utf8) }, words: Self.lineWords)
        for seed in 0..<60 {
            // It says what it says, and ends: nothing waits for a time limit.
            let plugin = try TestPlugin("IFS= read -r hello; cat answers")
            try Data(mutator.mutant(seed: UInt64(seed)).bytes)
                .write(to: URL(fileURLWithPath: plugin.directory.file("answers")))
            judge(try await plugin.sink.attempt(), "seed \(seed)")
            await plugin.sink.shutdown()
        }
        let sound = try TestPlugin(TestPlugin.good)
        #expect(try await sound.sink.attempt() == nil)
        await sound.sink.shutdown()
    }

    private static let answers = [
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: text/plain\r\n\r\nok",
        "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n",
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 120\r\ncontent-length: 4\r\n\r\nslow",
        "HTTP/1.1 503 Unavailable\r\nretry-after: Fri, 31 Dec 2100 23:59:59 GMT\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 503 Unavailable\r\nretry-after: Sunday, 06-Nov-94 08:49:37 GMT\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n5\r\noops!\r\n0\r\nx: y\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: /next\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1:1/x?y#z\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\u{1F}\u{8B}ok",
        "HTTP/1.0 200 OK\r\n\r\nold",
        "HTTP/1.1 099 x\r\n\r\n", "HTTP/1.1 200\r\nset-cookie: a=b; expires=Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n",
    ]

    private static let places = [
        "/next", "next?a=b#c", "https://example.org:8443/x?y#z", "http://127.0.0.1/", "//other.example/",
        "https://[::1]:1/",
        "https://us%40er:pa%3Ass@example.org/%C3%A4/../..", "?x=%zz", "mailto:a@example.org", "",
    ]

    private static let placeWords = [
        "http://", "https://", "//", "@", ":", ":0", ":65536", ":-1", "[", "]", "[::", "%", "%00", "..", "?", "#", "\\",
        "ä",
        "xn--", ":99999999999999999999", "\u{0}", " ", "\r\n",
    ]

    private static let words = [
        "\r\n", "\r\n\r\n", "HTTP/1.1 ", "HTTP/2 ", "099", "000", "999", "-1", "retry-after: 99999999999999999999\r\n",
        "content-length: 18446744073709551616\r\n", "content-length: 0\r\n", "transfer-encoding: chunked\r\n",
        "ffffffffffffffff\r\n", "0\r\n\r\n", "location: \r\n", "location: //\r\n", "location: http://[::1\r\n", "\u{0}",
        ":",
        "location: file:///etc/passwd\r\n", "connection: close\r\n", "Fri, 31 Feb 9999 23:59:60 GMT", "\u{7F}",
        "\u{1B}[2J",
    ]

    private static let lines = [
        #"{"ready":1,"name":"test","max-concurrent":2}"#, #"{"ready":1}"#, #"{"id":"d1","outcome":"delivered"}"#,
        #"{"id":"d2","outcome":"retry","after":1.5,"reason":"full"}"#,
        #"{"id":"d0","outcome":"dead","reason":"no room"}"#,
        #"{"id":"d3","outcome":"perhaps","extra":[1,{"a":null}]}"#, #"{"ready":9}"#, "not an answer",
    ]

    private static let lineWords = [
        "{", "}", "[", "\"", ":", ",", "null", "true", "-1", "1e999", "1e-999", "18446744073709551616", "0.5",
        "\\ud83d",
        "\\u0000", "\"ready\":", "\"max-concurrent\":", "\"id\":\"d1\"", "\"outcome\":\"delivered\"", "\"after\":",
        "\n",
        "\"after\":-5", "\"max-concurrent\":-9223372036854775808", "\"ready\":9223372036854775807", "\u{0}",
        "\u{1B}[2J",
    ]
}
