import Foundation
import Testing
import TminusSystem

@testable import TminusDaemon

/// What commands read of a daemon that stands by.
@Suite("A daemon that stands by, for commands")
struct StandingDaemonTests {
    private let root = NSTemporaryDirectory() + "tm-" + UUID().uuidString.prefix(8)

    private func standby(_ paths: MachinePaths, socket: String? = nil, state: String? = nil) -> StateLock.Standby? {
        ControlSocketPath.standby(.init(socket, state, paths))?.standby
    }

    @Test("its lock file tells who leads and what is wrong, as long as it runs and stands by")
    func record() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let paths = MachinePaths(environment: ["HOME": root], systemStateDirectory: "\(root)/lib")
        let lock = try StateLock(directory: "\(root)/state", allowInsecurePermissions: false)
        #expect(standby(paths, state: "\(root)/state") == nil)
        let whole = StateLock.Standby(leader: "db1, process 7", problem: "down\nREADY=1", config: "/etc/tminus")
        try lock.record.note(whole)
        let read = standby(paths, state: "\(root)/state")
        #expect(
            read == StateLock.Standby(leader: "db1, process 7", problem: "down READY=1", config: "/etc/tminus"))
        #expect(read?.words == "stands by; the database does not answer: down READY=1")
        try lock.record.note(StateLock.Standby(leader: "db1, process 7"))
        #expect(standby(paths, state: "\(root)/state")?.words == "stands by; db1, process 7 leads")
        try lock.record.note(StateLock.Standby())
        #expect(standby(paths, state: "\(root)/state") == StateLock.Standby())
        #expect(StateLock.holder(of: "\(root)/state")?.socket == nil)
        try lock.record.note(nil)
        #expect(standby(paths, state: "\(root)/state") == nil)
        try lock.record.note(whole)
        lock.release()
        #expect(standby(paths, state: "\(root)/state") == nil, "the daemon is gone")
    }

    @Test("the lock file and the log say what it does, until it leads")
    func notices() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let lock = try StateLock(directory: "\(root)/state", allowInsecurePermissions: false)
        let log = LogRecord()
        let notices = StandbyNotices(lock.record, config: "/etc/tminus", nil, logger: log.logger)
        let directory = "\(root)/state"
        func seen() -> StateLock.Standby? { StateLock.holder(of: directory)?.standby }
        let leads = try await notices.run { () -> Int? in
            #expect(seen() == nil)
            notices.follows("db1, process 7")
            #expect(seen() == StateLock.Standby(leader: "db1, process 7", config: "/etc/tminus"))
            notices.misses("it is down")
            #expect(
                seen()
                    == StateLock.Standby(leader: "db1, process 7", problem: "it is down", config: "/etc/tminus"))
            notices.follows("db2, process 8")
            #expect(seen() == StateLock.Standby(leader: "db2, process 8", config: "/etc/tminus"))
            return 1
        }
        #expect(leads == 1 && seen() == nil)
        #expect(
            log.lines.map(\.message) == [
                "stands by; db1, process 7 leads", "stands by; the database does not answer and is asked again",
                "stands by; db2, process 8 leads", "takes over from db2, process 8",
            ])
        lock.release()
    }

    @Test("a daemon that gets the lease at once says nothing of it")
    func alone() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let lock = try StateLock(directory: "\(root)/state", allowInsecurePermissions: false)
        let log = LogRecord()
        #expect(try await StandbyNotices(lock.record, config: "/etc/tminus", nil, logger: log.logger).run { 1 } == 1)
        #expect(log.lines.isEmpty)
        lock.release()
    }

    @Test(
        "it is found without options on the own state directory, else on that of the system service, and by no socket")
    func places() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let paths = MachinePaths(
            environment: ["HOME": root], systemStateDirectory: "\(root)/lib", systemRuntimeDirectory: "\(root)/run",
            isRoot: false)
        let system = try StateLock(directory: "\(root)/lib", allowInsecurePermissions: false)
        try system.record.note(StateLock.Standby(leader: "system"))
        #expect(standby(paths)?.leader == "system")
        #expect(standby(paths, state: "\(root)/other") == nil)
        #expect(standby(paths, socket: "\(root)/lib/control.sock") == nil)
        let own = try StateLock(directory: "\(root)/.local/state/tminus", allowInsecurePermissions: false)
        #expect(standby(paths) == nil, "the own one leads")
        try own.record.note(StateLock.Standby(leader: "own"))
        #expect(standby(paths)?.leader == "own")
        own.release()
        system.release()
    }
}
