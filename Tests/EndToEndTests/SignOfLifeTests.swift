import Foundation
import Glibc
import Testing

/// The dead man's switch of the examples: what must stop it does.
@Suite("Sign of life")
struct SignOfLifeTests {
    private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Examples/alive/alive.yaml")

    /// Longer than two signs are apart here, and a sign on its way may still arrive.
    private static func silence(of receiver: WebServer) async throws -> Int {
        let before = receiver.count
        // Nobody tells of what does not come.
        try await Task.sleep(for: .seconds(4))
        return receiver.count - before
    }

    @Test("it comes while all is well, stops with the store and with the process, and comes again after each")
    func stops() async throws {
        let scratch = try Scratch()
        let receiver = try await WebServer(answers: [200])
        let text = String(decoding: try Data(contentsOf: Self.example), as: UTF8.self)
        let quick = text.replacing(/https:\S+/, with: receiver.url()).replacing("duration: 1m", with: "duration: 1s")
        try #require(quick.contains("duration: 1s") && quick.contains("127.0.0.1"))
        try scratch.save("alive.yaml", quick)
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        let port = try await daemon.port()
        #expect(try await receiver.requests(2).allSatisfy { $0.body.contains("tminus.expiry") })

        // Neither the scheduler nor the dispatcher does anything that is not written.
        let holder = try Program("python3", ["-c", Self.holder, "\(scratch.state)/tminus.sqlite"])
        try await holder.output.first("the lock") { $0 == "held" }
        try await WebAnswer.get(port, "/readyz", "the trouble") { $0.body == "not ready: store\n" }
        #expect(try await Self.silence(of: receiver) <= 1)
        holder.send(SIGKILL)
        try await holder.end()
        _ = try await receiver.requests(receiver.count + 2)

        daemon.program.send(SIGSTOP)
        #expect(try await Self.silence(of: receiver) <= 1)
        daemon.program.send(SIGCONT)
        _ = try await receiver.requests(receiver.count + 2)
        try await daemon.stop()
    }

    private static let holder = """
        import sqlite3, sys, time
        store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
        store.execute("BEGIN IMMEDIATE")
        print("held", flush=True)
        # Holds the lock until it is killed.
        time.sleep(3600)
        """
}
