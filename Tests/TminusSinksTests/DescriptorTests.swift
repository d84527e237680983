import Foundation
import Glibc
import TestServer
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

/// In a process of their own: the descriptors of other tests come and go.
@Suite("Descriptors")
struct DescriptorTests {
    @Test("deliveries to a command leave no descriptor open")
    func commands() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let good = ShellSink("cat > /dev/null", CommandSettings(directory: directory.path))
            let bad = ExecSink(["./no-such-program"], CommandSettings(directory: directory.path))
            try await Descriptors.stay(over: 50) {
                let end1 = try await good.attempt()
                #expect(end1 == nil)
                let end2 = try await bad.attempt()
                #expect(end2 != nil)
            }
        }
    }

    @Test("webhook sinks leave no descriptor open, whether they were answered or not")
    func webhooks() async {
        await #expect(processExitsWith: .success) {
            let server = try await TestServer.started()
            try await Descriptors.stay(over: 50) {
                for path in ["/status/200", "/status/500", "/close", "/endless"] {
                    let sink = try WebhookSink.test(server.url(path))
                    _ = try await sink.attempt()
                    await sink.shutdown()
                }
                let nobody = try WebhookSink.test("http://127.0.0.1:1/")
                let end3 = try await nobody.attempt()
                #expect(end3 != nil)
                await nobody.shutdown()
            }
        }
    }

    @Test("plug-ins leave no descriptor open, whether they end well or die")
    func plugins() async {
        await #expect(processExitsWith: .success) {
            try await Descriptors.stay(over: 10) {
                // The last hangs without a stream to answer on, for the sink to end it.
                for script in [TestPlugin.good, "exit 3", "exec >&-; sleep 600"] {
                    let plugin = try TestPlugin(script)
                    _ = try await plugin.sink.attempt()
                    await plugin.sink.shutdown()
                }
            }
        }
    }

    @Test("a payload file that is opened again and again leaves no descriptor open")
    func files() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try await Descriptors.stay(over: 50) {
                let sink = WebhookFileSink(path: directory.file("out"), sync: .never)
                let end4 = try await sink.attempt()
                #expect(end4 == nil)
                try FileManager.default.removeItem(atPath: directory.file("out"))
                let end5 = try await sink.attempt()
                #expect(end5 == nil)
                await sink.shutdown()
                // None of the files, also not the removed one: this holds to the last descriptor.
                #expect(Descriptors.targets.filter { $0.hasPrefix(directory.file("out")) } == [])
            }
        }
    }
}

private enum Descriptors {
    /// What is never opened once and kept by the runtime: pipes of commands, their processes, connections.
    static let kinds = ["pipe:", "anon_inode:[pidfd]", "socket:"]

    /// What the open ones lead to.
    static var targets: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [])
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    }

    /// Those of ``kinds``: a pipe and a socket by its number, of the others how many there are.
    private static var held: [String: Int] {
        Dictionary(grouping: targets.filter { target in kinds.contains { target.hasPrefix($0) } }, by: \.self)
            .mapValues(\.count)
    }

    /// Records an issue if a pipe, a process or a connection of the rounds is still open when they are over.
    static func stay(over rounds: Int, _ round: () async throws -> Void) async throws {
        // What the runtime opens once, it opens here.
        try await round()
        let before = held
        for _ in 0..<rounds { try await round() }
        func left() -> [String: Int] { held.filter { $0.value > before[$0.key, default: 0] } }
        let deadline = ContinuousClock.now + Bounded.limit
        // An event loop closes a connection after it has told its end; nobody tells that.
        while !left().isEmpty, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        #expect(left() == [:])
    }
}
