import Foundation
import Logging
import ServiceLifecycle
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

/// The whole daemon on the real machine.
@Suite("A daemon's life", .timeLimit(.minutes(20)))
struct DaemonLifeTests {
    @Test("daemons that were stopped leave no threads or descriptors behind")
    func leavesNothing() async {
        // In a process of its own, whose threads and descriptors are no other test's.
        await #expect(processExitsWith: .success) {
            func count(_ folder: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
            }
            let scratch = FileManager.default.temporaryDirectory.appending(path: "tminus-life-\(UUID())")
            defer { try? FileManager.default.removeItem(at: scratch) }
            let (config, state) = (scratch.appending(path: "config"), scratch.appending(path: "state"))
            for folder in [config, state] {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            let options = try DaemonOptions(config: config.path, state: state.path, store: nil)
            let logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
            func once(_ number: Int) async throws {
                let recording = Recording { _ in .deliver }
                let yaml = """
                    sinks: { r: { recording: '\(recording.name)' } }
                    timers: { t\(number): { duration: 10ms, on-expiry: [r] } }
                    """
                try Data(yaml.utf8).write(to: config.appending(path: "a.yaml"))
                let daemon = Daemon(options: options, sinks: [RecordingSink.self], logger: logger)
                let group = ServiceGroup(services: [daemon], logger: logger)
                let running = Task { try await group.run() }
                try await recording.waitForDeliveries(1, upTo: Bounded.limit)
                await group.triggerGracefulShutdown()
                try await running.value
            }
            for number in 0..<3 { try await once(number) }
            let (descriptors, threads) = (try count("fd"), try count("task"))
            for number in 3..<13 { try await once(number) }
            // The last threads may be on their way out.
            for _ in 0..<1_000 where try count("fd") > descriptors + 2 || count("task") > threads + 4 {
                // The kernel tells nobody of the end of a thread: count again.
                try await Task.sleep(for: .milliseconds(10))
            }
            try #require(try count("fd") <= descriptors + 2)
            try #require(try count("task") <= threads + 4)
        }
    }
}
