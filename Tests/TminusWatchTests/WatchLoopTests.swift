import Glibc
import Logging
import Synchronization
import Testing
import TminusCore
import WatchTestSupport

@testable import TminusWatch

/// Hints by hand.
private final class HandHints: HintSource {
    var pending: [Hint] = []
    var failure: HintFailure?
    var isFitting = true
    let descriptor: Int32 = -1
    let resets = 0

    func drain(_ receive: (Hint) -> Void) -> Int {
        let hints = pending
        pending = []
        hints.forEach(receive)
        return hints.count
    }

    func beginScan(of root: RawPath, receive: (Hint) -> Void) throws(HintFailure) {
        if let failure { throw failure }
    }

    func watch(_ path: RawPath, identity: FileIdentity) throws(HintFailure) {}

    func endScan(_ listing: Listing) throws(HintFailure) -> Bool { isFitting }

    func fileSystem(of path: RawPath) -> FileSystemKind { .local }
}

/// Lends the same hints again and again, after some failures. Unchecked: only the one task of a test uses it.
private final class Lender: @unchecked Sendable {
    let hints: HandHints
    var failures: Int

    init(_ hints: HandHints, failures: Int) {
        self.hints = hints
        self.failures = failures
    }

    func take() throws(HintFailure) -> any HintSource {
        if failures > 0 {
            failures -= 1
            throw HintFailure(reason: "no watches left")
        }
        return hints
    }
}

/// A loop that is driven by hand, over a real directory.
private final class Bench {
    let place: Workplace
    let hints = HandHints()
    let control = WatchControl()
    let loop: WatchLoop
    let start = ContinuousClock.now
    private let received = Received()

    final class Received: Sendable {
        let values = Mutex<[DirectoryContents]>([])
    }

    init(failures: Int = 0) throws {
        place = try Workplace()
        try place.run("mkdir t; printf 1 > t/a.yaml; touch -d '1 hour ago' t/a.yaml")
        let lender = Lender(hints, failures: failures)
        let received = received
        loop = WatchLoop(
            root: RawPath(place.path + "/t"), options: WatchOptions(),
            makeHints: { () throws(HintFailure) in try lender.take() }, control: control,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            emit: { value in received.values.withLock { $0.append(value) } })
    }

    var values: [DirectoryContents] { received.values.withLock { $0 } }

    func step(_ milliseconds: Int, isReload: Bool = false) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let wallTime = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        loop.step(isReload: isReload, now: start + .milliseconds(milliseconds), wallTime: wallTime)
    }

    /// In milliseconds from the start.
    var nextWake: Int? {
        loop.nextWake.map { Int(start.duration(to: $0) / .milliseconds(1)) }
    }
}

@Suite("The watch loop")
struct WatchLoopTests {
    @Test("at idle it wakes for the rescan only, and the rescan hands out nothing")
    func idle() throws {
        let bench = try Bench()
        bench.step(0)
        #expect(bench.values.count == 1)
        #expect(bench.values.first?.text("a.yaml") == "1")
        #expect(bench.nextWake == 30_000)
        bench.step(30_000)
        #expect(bench.nextWake == 60_000)
        #expect(bench.values.count == 1)
        #expect(bench.control.status.reads == 1)
        #expect(bench.control.status.scans == 2)
    }

    @Test("a change that nobody told of is found by the rescan, and counted")
    func missed() throws {
        let bench = try Bench()
        bench.step(0)
        try bench.place.run("printf 2 > t/a.yaml; touch -d '1 minute ago' t/a.yaml")
        bench.step(30_000)
        #expect(bench.values.last?.text("a.yaml") == "2")
        #expect(bench.control.status.missedChanges == 1)
    }

    @Test("an overflow leads to a scan that finds what was lost")
    func overflow() throws {
        let bench = try Bench()
        bench.step(0)
        try bench.place.run("printf 2 > t/a.yaml; touch -d '1 minute ago' t/a.yaml")
        bench.hints.pending = [.overflow]
        bench.step(100)
        #expect(bench.nextWake == 150)
        bench.step(150)
        #expect(bench.values.last?.text("a.yaml") == "2")
        #expect(bench.control.status.overflows == 1)
        #expect(bench.control.status.missedChanges == 0)
    }

    @Test("two writes with the same stamp are told apart by their events")
    func sameStamp() throws {
        let bench = try Bench()
        bench.step(0)
        bench.hints.pending = [.file(RawPath("a.yaml"), .closed)]
        bench.step(100)
        bench.step(150)
        #expect(bench.control.status.reads == 2)
        #expect(bench.values.count == 1)
        #expect(bench.nextWake == 30_150)
    }

    @Test("without notifications it polls, and tries again every minute")
    func fallback() throws {
        let bench = try Bench(failures: 1)
        bench.step(0)
        #expect(bench.control.status.mode == .polling(reason: "no watches left"))
        #expect(bench.values.count == 1)
        #expect(bench.nextWake == 2_000)
        bench.step(60_000)
        #expect(bench.control.status.mode == .events)
        #expect(bench.nextWake == 90_000)
    }

    @Test("notifications that are lost during a scan do not lose the scan")
    func lossDuringScan() throws {
        let bench = try Bench()
        bench.hints.failure = HintFailure(reason: "no watches left")
        bench.step(0)
        #expect(bench.values.first?.text("a.yaml") == "1")
        #expect(bench.control.status.mode == .polling(reason: "no watches left"))
        bench.hints.failure = nil
        bench.step(60_000)
        #expect(bench.control.status.mode == .events)
    }

    @Test("watches that do not fit the tree lead to another scan")
    func replaced() throws {
        let bench = try Bench()
        bench.step(0)
        bench.hints.isFitting = false
        bench.step(30_000)
        bench.hints.isFitting = true
        #expect(bench.nextWake == 30_050)
        bench.step(30_050)
        #expect(bench.control.status.scans == 3)
        #expect(bench.nextWake == 60_050)
    }

    @Test("while polling, a changed file must be the same in two scans")
    func polling() throws {
        let bench = try Bench(failures: 100)
        bench.step(0)
        try bench.place.run("printf 2 > t/a.yaml; touch -d '1 minute ago' t/a.yaml")
        bench.step(2_000)
        #expect(bench.values.count == 1)
        #expect(bench.nextWake == 2_250)
        bench.step(2_250)
        #expect(bench.values.last?.text("a.yaml") == "2")
        #expect(bench.control.status.missedChanges == 0)
    }

    @Test("files of a directory that cannot be reached keep their place, as unreadable", .enabled(if: getuid() != 0))
    func closedDirectory() throws {
        let bench = try Bench()
        try bench.place.run("mkdir t/s; printf 1 > t/s/b.yaml; touch -d '1 hour ago' t/s/b.yaml")
        bench.step(0)
        try bench.place.run("chmod 0 t/s")
        bench.step(30_000)
        #expect(bench.values.last?.reason("s/b.yaml")?.contains("permission denied") == true)
    }
}
