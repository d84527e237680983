import Glibc
import Logging
import Testing
import TminusCore
import TminusTestKit
import WatchTestSupport

@testable import TminusWatch

/// What happens to directories, links and permissions; how files are saved is the watching matrix.
@Suite("Watching a directory", .serialized, .oneWatcherAtATime)
struct WatchingTests {
    static let modes = [WatchOptions.Mode.events, .poll]

    /// A watcher of `PLACE/t` at work.
    struct Scene {
        let place: Workplace
        let watcher: DirectoryWatcher
        let recorder: Recorder

        init(_ mode: WatchOptions.Mode = .events, place: Workplace) {
            self.place = place
            watcher = DirectoryWatcher(
                root: place.path + "/t",
                options: WatchOptions(mode: mode, pollInterval: .milliseconds(100), rescanInterval: .seconds(3_600)),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            recorder = Recorder(watcher)
            watcher.start()
        }
    }

    /// Prepares a place by `script`, watches its directory `t`, and stops in the end.
    func watching(
        _ mode: WatchOptions.Mode = .events, after script: String, _ body: (Scene) async throws -> Void
    ) async throws {
        let place = try Workplace()
        // Old files are not waited for at the start.
        try place.run(script + "\ncd \"$PLACE\"; find . -exec touch -h -d '1 hour ago' {} +")
        let scene = Scene(mode, place: place)
        do {
            _ = try #require(await scene.recorder.next { _ in true })
            #if Inotify
                if mode == .events { #expect(scene.watcher.status.mode == .events) }
            #endif
            try await body(scene)
        } catch {
            await scene.watcher.stop(within: Bounded.limit)
            throw error
        }
        #expect(scene.watcher.status.missedChanges == 0)
        await scene.watcher.stop(within: Bounded.limit)
        #expect(scene.watcher.status.mode == .off)
    }

    @Test("files that come, go and move are seen, also in new directories", arguments: modes)
    func tree(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir t; printf 1 > t/a.yaml") { scene in
            try scene.place.run("printf 2 > t/b.json")
            #expect(await scene.recorder.next { $0.paths == ["a.yaml", "b.json"] } != nil)
            try scene.place.run("mkdir -p t/s/u && printf 3 > t/s/u/x.yaml")
            #expect(await scene.recorder.next { $0.text("s/u/x.yaml") == "3" } != nil)
            try scene.place.run("printf 4 > t/s/u/x.yaml")
            #expect(await scene.recorder.next { $0.text("s/u/x.yaml") == "4" } != nil)
            try scene.place.run("mv t/a.yaml t/c.yaml")
            #expect(await scene.recorder.next { $0.paths == ["b.json", "c.yaml", "s/u/x.yaml"] } != nil)
            try scene.place.run("mv t/s t/z")
            #expect(await scene.recorder.next { $0.paths == ["b.json", "c.yaml", "z/u/x.yaml"] } != nil)
            try scene.place.run("printf 5 > t/z/u/x.yaml")
            #expect(await scene.recorder.next { $0.text("z/u/x.yaml") == "5" } != nil)
            try scene.place.run("rm t/c.yaml; rm -r t/z")
            #expect(await scene.recorder.next { $0.paths == ["b.json"] } != nil)
        }
    }

    @Test("a move from file to file is one change")
    func moveIsOneChange() async throws {
        try await watching(after: "mkdir t; printf 1 > t/a.yaml") { scene in
            try scene.place.run("mv t/a.yaml t/b.yaml")
            #expect(await scene.recorder.next { $0.paths == ["b.yaml"] } != nil)
            #expect(scene.recorder.values.map(\.paths) == [["a.yaml"], ["b.yaml"]])
        }
    }

    /// Removes a file and makes it again, without a program in between that could take its time.
    private static func replace(_ path: String, by text: String, after microseconds: useconds_t) {
        unlink(path)
        // The time for which it is away is the test.
        usleep(microseconds)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }

    @Test("a file that is removed and made again within the grace is not removed")
    func grace() async throws {
        try await watching(after: "mkdir t; printf old > t/a.yaml") { scene in
            Self.replace("\(scene.place.path)/t/a.yaml", by: "new", after: 100_000)
            #expect(await scene.recorder.next { $0.text("a.yaml") == "new" } != nil)
            #expect(scene.recorder.values.allSatisfy { $0.paths == ["a.yaml"] })
        }
    }

    @Test("a file that is emptied and left so is empty in the end")
    func emptied() async throws {
        try await watching(after: "mkdir t; printf old > t/a.yaml") { scene in
            try scene.place.run(": > t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "" } != nil)
        }
    }

    @Test("what does not change the content is not handed out", arguments: modes)
    func unchanged(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir t; printf old > t/a.yaml") { scene in
            try scene.place.run(
                "cd t; touch a.yaml; chmod 600 a.yaml; printf old > a.yaml; printf x > a.txt; printf end > z.yaml")
            #expect(await scene.recorder.next { $0.text("z.yaml") == "end" } != nil)
            #expect(scene.recorder.values.count == 2)
        }
    }

    @Test("a volume whose data directory is swapped is seen as one change", arguments: modes)
    func configMap(mode: WatchOptions.Mode) async throws {
        let script = """
            mkdir -p t/..1; printf a1 > t/..1/a.yaml; printf b1 > t/..1/b.yaml; ln -s ..1 t/..data
            ln -s ..data/a.yaml t/a.yaml; ln -s ..data/b.yaml t/b.yaml
            """
        try await watching(mode, after: script) { scene in
            #expect(scene.recorder.values.first?.text("a.yaml") == "a1")
            for round in 2...3 {
                try scene.place.run(
                    """
                    cd t; mkdir ..\(round); printf a\(round) > ..\(round)/a.yaml; printf b\(round) > ..\(round)/b.yaml
                    ln -s ..\(round) ..data_tmp; mv -T ..data_tmp ..data; rm -r ..\(round - 1)
                    """)
                #expect(
                    await scene.recorder.next { $0.text("a.yaml") == "a\(round)" && $0.text("b.yaml") == "b\(round)" }
                        != nil)
            }
            #expect(scene.recorder.values.allSatisfy { $0.paths == ["a.yaml", "b.yaml"] })
            #expect(scene.recorder.values.count == 3)
        }
    }

    @Test("a link to a directory that is turned to another is followed, as the root and inside it", arguments: modes)
    func directoryLinks(mode: WatchOptions.Mode) async throws {
        let script = """
            mkdir -p v1/sub v2/sub o1 o2; printf 1 > v1/a.yaml; printf 2 > v2/a.yaml; printf 1 > o1/x.yaml; printf 2 > o2/x.yaml
            ln -s ../o1 v1/link; ln -s ../o1 v2/link; ln -s v1 t
            """
        try await watching(mode, after: script) { scene in
            #expect(scene.recorder.values.first?.paths == ["a.yaml", "link/x.yaml"])
            try scene.place.run("ln -s v2 n; mv -T n t")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "2" } != nil)
            try scene.place.run("printf 3 > v2/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "3" } != nil)
            try scene.place.run("ln -s ../o2 v2/n; mv -T v2/n v2/link")
            #expect(await scene.recorder.next { $0.text("link/x.yaml") == "2" } != nil)
            try scene.place.run("printf 4 > o2/x.yaml")
            #expect(await scene.recorder.next { $0.text("link/x.yaml") == "4" } != nil)
        }
    }

    @Test("an edit of a file outside that a link leads to is seen", arguments: modes)
    func linkedFile(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir t o; printf 1 > o/real; ln -s ../o/real t/a.yaml") { scene in
            try scene.place.run("printf 2 > o/real")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "2" } != nil)
        }
    }

    @Test("a circle of links ends", arguments: modes)
    func circle(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir -p t/s; printf 1 > t/a.yaml; ln -s .. t/s/up; ln -s . t/me; ln -s x t/x")
        { scene in
            #expect(scene.recorder.values.first?.paths == ["a.yaml"])
            try scene.place.run("printf 2 > t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "2" } != nil)
        }
    }

    @Test("a root that is removed and made again is live again", arguments: modes)
    func rootReturns(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir t; printf 1 > t/a.yaml") { scene in
            try scene.place.run("rm -r t")
            let gone = try #require(await scene.recorder.next { $0.files.isEmpty })
            #expect(gone.problems.count == 1)
            try scene.place.run("mkdir t; printf 2 > t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "2" && $0.problems.isEmpty } != nil)
            try scene.place.run("printf 3 > t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "3" } != nil)
            try scene.place.run("mv t u; mkdir t; printf 4 > t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "4" } != nil)
            try scene.place.run("printf wrong > u/a.yaml; printf 5 > t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "5" } != nil)
            #expect(!scene.recorder.values.contains { $0.text("a.yaml") == "wrong" })
        }
    }

    @Test("a root that is missing at the start is waited for, with the directories above it", arguments: modes)
    func rootMissing(mode: WatchOptions.Mode) async throws {
        let place = try Workplace()
        let watcher = DirectoryWatcher(
            root: place.path + "/x/y/t", options: WatchOptions(mode: mode, pollInterval: .milliseconds(100)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let recorder = Recorder(watcher)
        watcher.start()
        #expect(await recorder.next { $0.problems.first?.message.contains("does not exist") == true } != nil)
        try place.run("mkdir x")
        try place.run("mkdir -p x/y/t; printf 1 > x/y/t/a.yaml")
        #expect(await recorder.next { $0.text("a.yaml") == "1" && $0.problems.isEmpty } != nil)
        await watcher.stop(within: Bounded.limit)
    }

    @Test("an unreadable file is reported, blocks nothing, and is read once readable", arguments: modes)
    func unreadable(mode: WatchOptions.Mode) async throws {
        let script = """
            mkdir -p t/dir.yaml; printf 1 > t/a.yaml; mkfifo t/fifo.yaml; ln -s nowhere t/link.yaml; ln -s loop.yaml t/loop.yaml
            ln -s /dev/zero t/zero.yaml; head -c 1048577 /dev/zero > t/large.yaml; head -c 1048576 /dev/zero > t/fits.yaml
            """
        try await watching(mode, after: script) { scene in
            let value = try #require(scene.recorder.values.first)
            #expect(value.reason("fifo.yaml")?.contains("named pipe") == true)
            #expect(value.reason("dir.yaml")?.contains("directory") == true)
            #expect(value.reason("link.yaml")?.contains("does not exist") == true)
            #expect(value.reason("loop.yaml")?.contains("circle") == true)
            #expect(value.reason("zero.yaml")?.contains("device") == true)
            #expect(value.reason("large.yaml")?.contains("too large") == true)
            #expect(value.text("fits.yaml")?.utf8.count == 1_048_576)
            #expect(value.text("a.yaml") == "1")
            try scene.place.run("cd t; rm fifo.yaml; printf 2 > fifo.yaml; printf 3 > nowhere; printf 4 > large.yaml")
            let fixed = await scene.recorder.next {
                $0.text("fifo.yaml") == "2" && $0.text("link.yaml") == "3" && $0.text("large.yaml") == "4"
            }
            #expect(fixed != nil)
        }
    }

    @Test("a file without permission is said, and read when it has it", .enabled(if: getuid() != 0), arguments: modes)
    func permission(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir t; printf 1 > t/a.yaml; chmod 0 t/a.yaml") { scene in
            #expect(scene.recorder.values.first?.reason("a.yaml")?.contains("permission denied") == true)
            try scene.place.run("chmod 600 t/a.yaml")
            #expect(await scene.recorder.next { $0.text("a.yaml") == "1" } != nil)
        }
    }

    @Test(
        "a file that becomes writable for all is not read, its content stays, and chmod makes it good", arguments: modes
    )
    func publicFile(mode: WatchOptions.Mode) async throws {
        try await watching(mode, after: "mkdir -p t/s; printf old > t/a.yaml; printf b > t/s/b.yaml") { scene in
            try scene.place.run("chmod o+w t/a.yaml")
            #expect(await scene.recorder.next { $0.reason("a.yaml")?.contains("can write it; run") == true } != nil)
            try scene.place.run("chmod o-w t/a.yaml; printf new > t/a.yaml; chmod o+w t/s")
            #expect(
                await scene.recorder.next {
                    $0.text("a.yaml") == "new" && $0.reason("s/b.yaml")?.contains("its directory") == true
                } != nil)
            let count = scene.recorder.values.count
            try scene.place.run("chmod o-w t/s")
            #expect(await scene.recorder.next(after: count - 1) { $0.text("s/b.yaml") == "b" } != nil)
        }
    }

    @Test("names of any bytes are read and told apart", arguments: modes)
    func names(mode: WatchOptions.Mode) async throws {
        let script =
            "mkdir t; cd t; for n in \"$(printf 'a\\377')\" \"$(printf 'a\\nb')\" '-x' 'ä' \"$(printf 'a\\314\\210')\"; do printf 1 > \"./$n.yaml\"; done"
        try await watching(mode, after: script) { scene in
            let value = try #require(scene.recorder.values.first)
            #expect(Set(value.paths).count == 5)
            #expect(value.paths.contains("a\\xff.yaml") && value.paths.contains("a\\u{a}b.yaml"))
            #expect(value.files.allSatisfy { $0.content == .bytes(Array("1".utf8)) })
        }
    }

    @Test("a reload finds what no notification told, at once")
    func reload() async throws {
        try await watching(after: "mkdir t; printf 1 > t/a.yaml") { scene in
            // The writer keeps the file open: the end of the write is not told before the reload.
            try scene.place.run("(printf 2; sleep 0.2) > t/a.yaml & ")
            scene.watcher.reload()
            #expect(await scene.recorder.next { $0.text("a.yaml") == "2" } != nil)
        }
    }

    @Test("a second watcher of the process polls, and says why")
    func second() async throws {
        try await watching(after: "mkdir t; printf 1 > t/a.yaml") { scene in
            let other = Scene(.auto, place: scene.place)
            #expect(await other.recorder.next { $0.text("a.yaml") == "1" } != nil)
            guard case .polling(let reason?) = other.watcher.status.mode else {
                Issue.record("the second watcher does not poll")
                return
            }
            #expect(reason.contains("another watcher"))
            try scene.place.run("printf 2 > t/a.yaml")
            #expect(await other.recorder.next { $0.text("a.yaml") == "2" } != nil)
            #expect(await scene.recorder.next { $0.text("a.yaml") == "2" } != nil)
            await other.watcher.stop(within: Bounded.limit)
        }
    }

    @Test("many directories that come and go lose nothing and leave no descriptor behind")
    func churn() async throws {
        try await watching(after: "mkdir t; printf 1 > t/a.yaml") { scene in
            try scene.place.run(
                "cd t; for i in $(seq 100); do mkdir -p d$i/e; printf $i > d$i/e/x.yaml; mkdir gone; printf 1 > gone/y.yaml; rm -r gone; done"
            )
            let value = try #require(await scene.recorder.next { $0.files.count == 101 })
            #expect((1...100).allSatisfy { value.text("d\($0)/e/x.yaml") == "\($0)" })
            #if Inotify
                #expect(ProcReader().inotifyDescriptors().count == 1)
            #endif
        }
    }

    @Test("a watcher that was only made, and one whose task is cancelled, end")
    func ends() async throws {
        let place = try Workplace()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        await DirectoryWatcher(root: place.path, logger: logger).stop(within: Bounded.limit)
        let watcher = DirectoryWatcher(root: place.path, logger: logger)
        let recorder = Recorder(watcher)
        let task = Task { await watcher.run() }
        #expect(await recorder.next { _ in true } != nil)
        task.cancel()
        #expect(await task.value == nil)
        // It waits two seconds for its thread, which may be too short beside other tests.
        await watcher.stop(within: Bounded.limit)
        #expect(watcher.status.mode == .off)
    }

    @Test("a watcher without a descriptor left returns the problem")
    func shortage() async {
        // In a process of its own, whose limit is no other test's.
        await #expect(processExitsWith: .success) {
            let watcher = DirectoryWatcher(root: "/", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try #require(await watcher.run() == "the directory cannot be watched: Too many open files")
        }
    }
}
