import Glibc
import Testing
import TminusCore
import WatchTestSupport

@testable import TminusWatch

@Suite("The watch loop")
struct WatchLoopTests {
    @Test("at idle it wakes for the rescan only, and the rescan hands out nothing")
    func idle() throws {
        let bench = try Bench()
        bench.step(0)
        #expect(bench.values.count == 1)
        #expect(bench.values.first?.text("a.yaml") == "1")
        #expect(bench.nextWake == 60_000)
        bench.step(60_000)
        #expect(bench.nextWake == 120_000)
        #expect(bench.values.count == 1)
        #expect(bench.control.status.reads == 1)
        #expect(bench.control.status.scans == 2)
        bench.step(61_000, isReload: true)
        #expect(bench.scans == [false, true, false], "the first found a file; the last was asked for")
        #expect(bench.control.status.scansByCause == [.timer: 2, .request: 1])
    }

    @Test("a change that was seen is pending until it is handed out")
    func pending() throws {
        let bench = try Bench()
        bench.step(0)
        #expect(bench.control.status.pending == [])
        try bench.place.run("printf 2 > t/a.yaml")
        bench.hints.pending = [.file(RawPath("a.yaml"), .modified), .file(RawPath("new.yaml"), .createdEmpty)]
        bench.step(100)
        #expect(bench.control.status.pending == ["a.yaml", "new.yaml"])
        bench.hints.pending = [.file(RawPath("a.yaml"), .closed), .file(RawPath("new.yaml"), .vanished)]
        bench.step(110)
        bench.step(170)
        #expect(bench.values.last?.text("a.yaml") == "2")
        #expect(bench.control.status.pending == [])
    }

    @Test("a change that nobody told of is found by the rescan, and counted")
    func missed() throws {
        let bench = try Bench()
        bench.step(0)
        try bench.place.run("printf 2 > t/a.yaml; touch -d '1 minute ago' t/a.yaml")
        bench.step(60_000)
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
        #expect(bench.nextWake == 60_150)
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
        #expect(bench.nextWake == 120_000)
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

    @Test("while there is no watch to be had, an instance alone is not taken for the return of notifications")
    func noReturn() throws {
        let bench = try Bench()
        bench.hints.failure = HintFailure(reason: "no watches left")
        bench.step(0)
        bench.step(60_000)
        #expect(bench.control.status.mode == .polling(reason: "no watches left"))
        #expect(bench.log == ["no notifications of changes: polling instead"])
        bench.hints.failure = nil
        bench.step(120_000)
        #expect(bench.control.status.mode == .events)
        #expect(bench.log.last == "watching by notifications again")
    }

    @Test("a file that is being written at the start is told as such, not as missing, and read when it is complete")
    func writtenAtStart() throws {
        let bench = try Bench()
        for milliseconds in stride(from: 0, through: 1_000, by: 200) {
            try bench.place.run("printf 2 >> t/b.yaml")
            bench.hints.pending = [.file(RawPath("b.yaml"), .modified)]
            bench.step(milliseconds)
        }
        #expect(bench.values.count == 1)
        #expect(bench.values.first?.text("a.yaml") == "1")
        #expect(bench.values.first?.reason("b.yaml")?.contains("is being written") == true)
        bench.hints.pending = [.file(RawPath("b.yaml"), .closed)]
        bench.step(1_010)
        bench.step(1_060)
        #expect(bench.values.last?.text("b.yaml") == "222222")
        #expect(bench.values.count == 2)
    }

    @Test("the time between two attempts to have notifications is an option")
    func retryInterval() throws {
        let bench = try Bench(failures: 1, options: WatchOptions(retryInterval: .milliseconds(300)))
        bench.step(0)
        #expect(bench.nextWake == 300)
        bench.step(300)
        #expect(bench.control.status.mode == .events)
    }

    @Test(
        "the clock is set back or forward during a save: the file is read whole, and once", arguments: [-7_200, 7_200])
    func clockStep(seconds: Int64) throws {
        let bench = try Bench()
        bench.step(0)
        bench.hints.pending = [.file(RawPath("a.yaml"), .modified)]
        bench.step(1_000)
        try bench.place.run("printf 2 > t/a.yaml; touch -d \"now \(seconds) seconds\" t/a.yaml")
        bench.setClock(by: seconds)
        bench.hints.pending = [.file(RawPath("a.yaml"), .closed)]
        bench.step(1_010)
        #expect(bench.values.count == 1)
        bench.step(1_060)
        #expect(bench.values.last?.text("a.yaml") == "2")
        #expect(bench.control.status.missedChanges == 0)
        bench.step(61_060)
        #expect(bench.values.count == 2)
    }

    @Test("what is ignored is told with every scan, and is no reason to hand out anything")
    func ignored() throws {
        let bench = try Bench()
        bench.step(0)
        #expect(bench.control.status.ignored == IgnoredEntries())
        try bench.place.run(": > t/notes.txt")
        bench.step(60_000)
        #expect(bench.control.status.ignored.entries == [IgnoredEntry(path: "notes.txt", reason: .suffix)])
        #expect(bench.values.count == 1)
    }

    @Test("watches that do not fit the tree lead to another scan")
    func replaced() throws {
        let bench = try Bench()
        bench.step(0)
        bench.hints.isFitting = false
        bench.step(60_000)
        bench.hints.isFitting = true
        #expect(bench.nextWake == 60_050)
        bench.step(60_050)
        #expect(bench.control.status.scans == 3)
        #expect(bench.nextWake == 120_050)
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
        bench.step(60_000)
        #expect(bench.values.last?.reason("s/b.yaml")?.contains("permission denied") == true)
    }
}
