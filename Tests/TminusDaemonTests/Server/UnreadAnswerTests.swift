import Testing
import TminusControl
import TminusTestKit

@testable import TminusDaemon

/// Clients that ask and do not read. What fits into the buffers of the kernel needs no reader, so the answers are large.
@Suite("Answers that nobody reads")
struct UnreadAnswerTests {
    private static let paths = ["/items", "/events"]

    /// Connections on which an answer has begun; nothing more of it is read.
    private func unread(_ harness: ControlHarness, _ path: String, _ count: Int = 3) async throws -> [RawSocket] {
        var sockets: [RawSocket] = []
        for _ in 0..<count {
            let socket = try RawSocket(harness.path)
            try await socket.write("GET \(path) HTTP/1.1\r\nhost: x\r\n\r\n")
            _ = try await socket.read(until: "HTTP/1.1 200 ")
            sockets.append(socket)
        }
        return sockets
    }

    @Test("an answer that nobody reads is cut off, and others are answered", arguments: paths)
    func cutOff(path: String) async throws {
        let harness = try ControlHarness(readingLimit: .milliseconds(100))
        harness.desk.put((0..<3_000).map { .idle("timer-\($0)") })
        try await harness.run { (client: ControlClient) async throws in
            for socket in try await unread(harness, path) { try await socket.waitForClose() }
            try await harness.log.wait(for: "a control connection was closed: its client does not read")
            #expect(try await client.item("timer-1").id == "timer-1")
        }
    }

    @Test("a client that reads later than the limit, but reads, gets the whole answer")
    func patient() async throws {
        let harness = try ControlHarness(readingLimit: .seconds(3_600))
        harness.desk.put((0..<3_000).map { .idle("timer-\($0)") })
        try await harness.run { (_: ControlClient) async throws in
            for socket in try await unread(harness, "/items", 1) {
                let rest = try await socket.read(until: "\r\n0\r\n\r\n")
                #expect(rest.contains("\"timer-2999\"") && rest.hasSuffix("\r\n0\r\n\r\n"))
            }
        }
    }

    @Test("answers that nobody reads do not hold up the end of the server", arguments: paths)
    func stop(path: String) async throws {
        let harness = try ControlHarness()
        harness.desk.put((0..<3_000).map { .idle("timer-\($0)") })
        let open = Watched<[RawSocket]>([])
        // Waits for the end of the server.
        try await harness.run { (_: ControlClient) async throws in
            let sockets = try await unread(harness, path)
            open.update { $0 = sockets }
        }
        for socket in open.value { try await socket.waitForClose() }
    }
}
