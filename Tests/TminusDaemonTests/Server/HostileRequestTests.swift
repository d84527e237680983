import Logging
import Testing
import TminusControl
import TminusTestKit

@testable import TminusDaemon

/// Requests that are no requests, and those that lead the parsers into corners.
@Suite("Hostile requests")
struct HostileRequestTests {
    private static let post = "POST /items/tea/start HTTP/1.1\r\nhost: x\r\n"

    /// What the server writes up to the end of the connection, after all of `bytes` and the end of what is written.
    private func exchange(_ harness: ControlHarness, _ bytes: [UInt8]) async throws -> String {
        let socket = try RawSocket(harness.path)
        try await socket.write(bytes)
        socket.endWriting()
        return try await socket.readToEnd()
    }

    /// The statuses of all answers.
    private func statuses(_ answers: String) -> [Int] {
        answers.parts(after: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    @Test("a client that waits to be asked for its body is asked, unless the body would be too large")
    func expectation() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let socket = try RawSocket(harness.path)
            let expects = "expect: 100-Continue\r\ncontent-type: application/json\r\n"
            try await socket.write("\(Self.post)\(expects)content-length: 2\r\n\r\n")
            #expect(try await socket.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await socket.write("{}")
            let answer = try await socket.read(until: "}\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            try await socket.write("\(Self.post)\(expects)content-length: 9999999\r\n\r\n")
            #expect(try await socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test("a client that reads nothing before it has sent all of a body that is too large gets its answer at once")
    func sendsAll() async throws {
        let harness = try ControlHarness()
        try await harness.run { (_: ControlClient) async throws in
            for length in ["content-length: 3000000", "transfer-encoding: chunked"] {
                let socket = try RawSocket(harness.path)
                try await socket.write("\(Self.post)connection: close\r\n\(length)\r\n\r\n")
                let isChunked = length.hasSuffix("chunked")
                if isChunked { try await socket.write("2DC6C0\r\n") }
                try await socket.write(String(repeating: "x", count: 3_000_000))
                if isChunked { try await socket.write("\r\n0\r\n\r\n") }
                #expect(try await socket.readToEnd().hasPrefix("HTTP/1.1 413 "))
            }
        }
    }

    @Test(
        "a request that is not HTTP gets one answer, 400, and the connection ends",
        arguments: [
            "\(post)transfer-encoding: chunked, gzip\r\n\r\n{}", "\(post)transfer-encoding: xchunked\r\n\r\n{}",
            "GET /items HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n",
            "\(post)transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            "\(post)transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}", "\(post)content-length: x\r\n\r\n{}",
            "\(post)content-length: -1\r\n\r\n{}", "\(post)content-length: 2\r\ncontent-length: 3\r\n\r\n{}",
            "\(post)content-length: 99999999999999999999\r\n\r\n{}", "nonsense\r\n\r\n", "GET /items HTTP/9.9\r\n\r\n",
            "GET /items HTTP/1.1\r\nno colon\r\n\r\n", "GET /items HTTP/1.1\r\nx: \u{0}\r\n\r\n",
            "BREW /items HTTP/1.1\r\nhost: x\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}",
        ])
    func malformed(request: String) async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (client: ControlClient) async throws in
            // Its writing stays open: the server ends the connection.
            let socket = try RawSocket(harness.path)
            try await socket.write(request)
            let answer = try await socket.readToEnd()
            #expect(statuses(answer) == [400], "\(answer.prefix(300))")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(harness.desk.requests.isEmpty)
            #expect(try await client.item("tea").id == "tea")
        }
    }

    @Test("a body that ends too early is answered with 400")
    func cutBody() async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea")])
        try await harness.run { (_: ControlClient) async throws in
            let answer = try await exchange(harness, Array("\(Self.post)content-length: 20\r\n\r\n{}".utf8))
            #expect(statuses(answer) == [400], "\(answer)")
            #expect(harness.desk.requests.isEmpty)
        }
    }

    @Test("no damaged request is answered with a server error other than 503, and the server goes on", arguments: 0..<4)
    func damaged(part: Int) async throws {
        let harness = try ControlHarness()
        harness.desk.put([.idle("tea"), .idle("soup")])
        let mutator = ByteMutator(Self.requests.map { Array($0.utf8) }, words: Self.words)
        try await harness.run { (client: ControlClient) async throws in
            for seed in (0..<400).filter({ $0 % 4 == part }) {
                let bytes = mutator.mutant(seed: UInt64(seed)).bytes
                // A server that has refused the beginning does not read the rest.
                let answer = (try? await exchange(harness, bytes)) ?? ""
                let errors = statuses(answer).filter { $0 >= 500 && $0 != 503 }
                #expect(
                    errors.isEmpty, "seed \(seed): \(String(decoding: bytes, as: UTF8.self)): \(answer.prefix(500))")
            }
            #expect(try await client.status().version == "test")
            #expect(harness.log.lines.filter { $0.level >= .error } == [])
        }
    }

    /// None that waits, or that has an answer without an end.
    private static let requests = [
        "GET /items HTTP/1.1\r\nhost: x\r\n\r\n", "GET /items/tea HTTP/1.1\r\nhost: x\r\naccept: */*\r\n\r\n",
        "GET /status HTTP/1.1\r\nhost: x\r\n\r\nGET /status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        "GET /deliveries?limit=5&state=dead&definition=tea HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /items/tea/history?limit=3 HTTP/1.1\r\nhost: x\r\n\r\n", "GET /openapi.json HTTP/1.0\r\n\r\n",
        "GET /items/tea/why?at=2026-12-01T09:00:00Z HTTP/1.1\r\nhost: x\r\n\r\n",
        "\(post)content-length: 13\r\n\r\n{\"add\": \"5m\"}",
        "\(post)content-length: 2\r\nexpect: 100-continue\r\n\r\n{}",
        "POST /items/tea/mute HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nd\r\n{\"for\": \"5m\"}\r\n0\r\n\r\n",
        "POST /mute HTTP/1.1\r\nhost: x\r\ncontent-length: 33\r\n\r\n{\"until\": \"2026-12-01T09:00:00Z\"}",
        "POST /timers HTTP/1.1\r\nhost: x\r\ncontent-length: 33\r\n\r\n{\"name\": \"Tea\", \"duration\": \"5m\"}\n",
        "POST /items/tea/fire HTTP/1.1\r\nhost: x\r\ncontent-length: 17\r\n\r\n{\"dry-run\": true}",
        "DELETE /items/soup HTTP/1.1\r\nhost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
        "HEAD /items HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
        "CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n", "GET http://x/items?a=%C3%28&%zz HTTP/1.1\r\nhost: x\r\n\r\n",
    ]

    private static let words = [
        "\r\n", "\r\n\r\n", "transfer-encoding: chunked\r\n", "transfer-encoding: chunked, x\r\n",
        "content-length: 0\r\n",
        "content-length: 65537\r\n", "HTTP/1.1", "host: y\r\n", "0\r\n\r\n", "ffffffffffffffff\r\n", "%00", "%2e%2e/",
        "?",
        "&limit=99999999999999999999", "\"for\": ", "-1", "1e999", "null", "{\"", "\\ud800", "/", "//",
        "connection: close\r\n",
    ]
}

extension String {
    /// What follows each occurrence of `mark`.
    fileprivate func parts(after mark: String) -> [Substring] {
        ranges(of: mark).map { self[$0.upperBound...] }
    }
}
