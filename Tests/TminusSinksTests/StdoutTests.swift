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

    @Test("a line has the id, the message and the due time, in whole seconds")
    func line() {
        let due = "2026-12-01T09:00:00+01:00"
        #expect(StdoutSink.text(Deliveries.one()) == "launch: Product launch in 1 day, due \(due)")
        var fine = Deliveries.one()
        fine.payload.due = "2026-12-01T09:00:00.801896046+01:00"
        #expect(StdoutSink.text(fine).hasSuffix(", due \(due)"))
        #expect(StdoutSink.text(Deliveries.one(), hasOwnMessage: true) == "launch: Product launch in 1 day")
    }

    @Test("the due time is left out if it is now", arguments: [-999_999_999, 0, 999_999_999])
    func dueNow(remaining: Int64) {
        var delivery = Deliveries.one()
        delivery.payload.remaining = Payload.Amount(nanoseconds: remaining, text: "now")
        #expect(StdoutSink.text(delivery) == "launch: Product launch in 1 day")
        delivery.payload.remaining = Payload.Amount(nanoseconds: -1_000_000_000, text: "1 s ago")
        #expect(StdoutSink.text(delivery).contains(", due "))
    }

    @Test("a line begins with the time of writing: in the machine's zone, in UTC, or with none")
    func time() async throws {
        let pipe = FullPipe()
        _ = pipe.drain(65_536)
        for beginning in StdoutSink.Beginning.allCases {
            let sink = StdoutSink(format: .text, beginning: beginning, descriptor: pipe.writer)
            #expect(try await sink.attempt() == nil)
        }
        let lines = String(decoding: pipe.rest(), as: UTF8.self).split(separator: "\n")
        try #require(lines.count == 3)
        let text = " " + StdoutSink.text(Deliveries.one())
        let instants = try lines.prefix(2).map { line in
            #expect(line.hasSuffix(text))
            return try #require(Timestamp(rfc3339: String(line.dropLast(text.count))), "\(line)")
        }
        #expect(lines[1].hasSuffix("Z" + text))
        #expect(lines[2] == text.dropFirst())
        #expect(instants[0] <= instants[1])
    }

    @Test("text of the user's can neither break the line nor steer the terminal")
    func harmless() {
        let line = StdoutSink.text(Deliveries.one(text: "a\r\nb\n\u{1B}[2Jc\u{9B}d\u{202E}e🎉"), hasOwnMessage: true)
        #expect(line == "launch: a b \\u{1b}[2Jc\\u{9b}d\\u{202e}e🎉 in 1 day")
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
        #expect(registry.make(.test("stdout", [], in: "/"), root: "/", reporting: good) != nil && !good.hasErrors)
        for options in [[("stdout", .scalar("json"))], [("format", .scalar("xml"))], [("time", .scalar("CET"))]]
            as [[(String, Node.Content)]]
        {
            let bad = DiagnosticBag(file: "test.yaml")
            _ = registry.make(.test("stdout", options, in: "/"), root: "/", reporting: bad)
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

    @Test("a draft has the message of the sink, and the line or payload that is written")
    func draft() throws {
        let message = "message: \"{{name}}!\""
        let text = try SinkRegistry.soundSink("{ stdout: {}, \(message) }").draft(of: Deliveries.one())
        #expect(text.content == .line("launch: Product launch!"))
        for kind in ["stdout: {}, format: json", "shell: x", "exec: [x]", "webhook-file: x", "plugin: x"] {
            let draft = try SinkRegistry.soundSink("{ \(kind), \(message) }").draft(of: Deliveries.one())
            #expect(draft.content == .event && draft.delivery.payload.message == "Product launch!", "\(kind)")
        }
    }
}
