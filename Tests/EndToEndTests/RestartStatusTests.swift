import Foundation
import Testing

/// The exit statuses for what another start cannot change: a service manager does not restart the daemon then.
@Suite("Exit statuses that prevent a restart")
struct RestartStatusTests {
    @Test("a store of a newer tminus is status 65")
    func newerStore() async throws {
        let scratch = try Scratch()
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        try await first.stop()
        try await scratch.change("INSERT INTO grdb_migrations VALUES ('M999_Future')")
        let second = try RunningDaemon(in: scratch)
        #expect(try await second.program.end() == 65)
        #expect(second.errors.texts.last?.contains("was written by a newer tminus") == true, "\(second.errors.texts)")
    }

    @Test("a path of the control socket that cannot be used is status 64", arguments: [true, false])
    func socket(isTooLong: Bool) async throws {
        let scratch = try Scratch()
        try scratch.save("file", "")
        let path = isTooLong ? "\(scratch.path)/\(String(repeating: "x", count: 120))" : "\(scratch.config)/file"
        let daemon = try RunningDaemon(in: scratch, ["--socket", path])
        #expect(try await daemon.program.end() == 64)
    }

    @Test("a config directory that others can write is status 77")
    func permissions() async throws {
        let scratch = try Scratch()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.config)
        #expect(try await RunningDaemon(in: scratch).program.end() == 77)
    }
}
