import Foundation
import Glibc
import Testing

/// What happens when the machine refuses what is taken for granted.
@Suite("Shortage")
struct ShortageTests {
    @Test("with few descriptors commands wait for one another, and all run")
    func fewDescriptors() async throws {
        let scratch = try Scratch()
        let timers = (0..<12).map {
            "  t\($0): { duration: 1s, on-expiry: [{ shell: 'echo \($0) >> ran; sleep 0.2' }] }\n"
        }
        try scratch.save("a.yaml", "timers:\n" + timers.joined())
        let daemon = try Program(
            "/bin/sh",
            [
                "-c", "ulimit -n 64; exec \"$0\" run --config \"$1\" --state \"$2\"", Program.tminus, scratch.config,
                scratch.state,
            ])
        let ran = try await scratch.lines(12, of: "ran")
        #expect(Set(ran).count == 12)
        daemon.send(SIGTERM)
        #expect(try await daemon.end() == 0)
    }

    @Test("standard streams that are closed at the start are held by nothing that matters")
    func closedStreams() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { t: { duration: 1s, on-expiry: [{ shell: 'echo ran >> ran' }] } }\n")
        let daemon = try Program(
            "/bin/sh",
            [
                "-c", "exec \"$0\" run --config \"$1\" --state \"$2\" <&- >&- 2>&-", Program.tminus, scratch.config,
                scratch.state,
            ])
        try await scratch.lines(1, of: "ran")
        for descriptor in 0...2 {
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.id)/fd/\(descriptor)")
            #expect(link == "/dev/null")
        }
        daemon.send(SIGTERM)
        #expect(try await daemon.end() == 0)
    }

    @Test("a store that is removed while the daemon runs is said, with its path")
    func removedStore() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { t: { duration: 1s, repeat: immediately } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.output.first("an expiry") { $0.contains(" t: ") }
        try FileManager.default.removeItem(atPath: "\(scratch.state)/tminus.sqlite")
        try await daemon.errors.first("what happened to the store") {
            $0.contains("\(scratch.state)/tminus.sqlite: was removed or replaced")
        }
        try await daemon.stop()
    }
}
