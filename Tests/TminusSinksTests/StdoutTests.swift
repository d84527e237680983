import Foundation
import Glibc
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

@Suite("Stdout")
struct StdoutTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("a line has the instant, the id and the message")
    func line() {
        #expect(StdoutSink.text(Deliveries.one()) == "2026-12-01T09:00:00+01:00 launch: Product launch in 1 day")
    }

    @Test("text of the user's can neither break the line nor steer the terminal")
    func harmless() {
        let line = StdoutSink.text(Deliveries.one(text: "a\r\nb\n\u{1B}[2Jc\u{9B}d\u{202E}e🎉"))
        #expect(line == "2026-12-01T09:00:00+01:00 launch: a b \\u{1b}[2Jc\\u{9b}d\\u{202e}e🎉 in 1 day")
    }

    @Test("with nobody reading a delivery is given up when it is cancelled, and the lines stay whole")
    func nobodyReads() async throws {
        let pipe = FullPipe()
        // Room for a part of the first line.
        _ = pipe.drain(8192)
        let sink = StdoutSink(format: .json, descriptor: pipe.writer)
        let long = Deliveries.one(number: 1, text: String(repeating: "x", count: 20_000))
        let running = Task { try await sink.attempt(long) }
        let short = Deliveries.one(number: 2)
        let second = Task { try await sink.attempt(short) }
        second.cancel()
        #expect(try await second.value != nil)
        running.cancel()
        #expect(try await running.value?.isTransient == true)
        let reader = Task.detached { pipe.drain(65_536 - 8192 + CloudEvent.json(short).count) }
        #expect(try await sink.attempt(short) == nil)
        let text = await reader.value.drop { $0 == UInt8(ascii: ".") }
        let lines = (text + pipe.rest()).split(separator: UInt8(ascii: "\n")).map { Array($0) }
        let allowed = [CloudEvent.json(long), CloudEvent.json(short)]
        #expect(lines.allSatisfy { allowed.contains($0) } && lines.last == allowed[1])
    }

    @Test("a closed standard output is a failure that may pass")
    func closed() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(
            try await StdoutSink(format: .text, descriptor: ends[1]).attempt()
                == .transient("standard output is closed"))
        #expect(
            try await StdoutSink(format: .text, descriptor: 9999).attempt() == .transient("standard output is closed"))
    }

    @Test("the bare kind is enough, and a value is reported")
    func options() {
        let registry = SinkRegistry(StandardSinks.kinds)
        let good = DiagnosticBag(file: "test.yaml")
        #expect(registry.make(.test("stdout", [], in: "/"), reporting: good) != nil && !good.hasErrors)
        for options in [[("stdout", .scalar("json"))], [("format", .scalar("xml"))]] as [[(String, Node.Content)]] {
            let bad = DiagnosticBag(file: "test.yaml")
            _ = registry.make(.test("stdout", options, in: "/"), reporting: bad)
            #expect(bad.hasErrors)
        }
    }
}

extension FullPipe {
    /// What is in the pipe now.
    func rest() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 0) == 1 {
            let length = read(reader, &buffer, buffer.count)
            guard length > 0 else { break }
            all += buffer[..<length]
        }
        return all
    }
}
