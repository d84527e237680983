import Foundation
import Glibc
import Testing

/// The daemon when the machine lacks descriptors, standard streams or the store.
@Suite("Shortages")
struct ShortageTests {
    @Test("with few descriptors commands wait for each other, and all run")
    func fewDescriptors() async throws {
        let scratch = try Scratch()
        let timers = (0..<12).map {
            // The commands overlap only if each takes a while.
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

    @Test("standard streams closed at the start are replaced by /dev/null")
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

    @Test("removal of the store while the daemon runs is logged with its path")
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
