import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

/// When the streams of a program are watched, and what is read of them.
@Suite("Programs that were just started")
struct FreshProgramTests {
    private let directory: TemporaryDirectory
    private let start = ContinuousClock.now
    private let time = FreshPrograms.time

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func shell(_ line: String) -> ShellSink {
        ShellSink(line, CommandSettings(directory: directory.path, timeout: .seconds(90)))
    }

    @Test("one is asked for when its time is over, those after it later, and nobody asks while there is none")
    func order() {
        var fresh = FreshPrograms()
        let isFirst = [
            fresh.add(1, now: start), fresh.add(2, now: start + time / 4), fresh.add(3, now: start + time / 2),
        ]
        #expect(isFirst == [true, false, false])
        let first = fresh.aged(now: start + time) { _ in true }
        #expect(first.numbers == [1] && first.pause == time / 4)
        let both = fresh.aged(now: start + time * 2) { _ in true }
        #expect(both.numbers == [2, 3] && both.pause == nil)
        let isFirstAgain = fresh.add(4, now: start + time * 2)
        #expect(isFirstAgain)
    }

    @Test("one that has ended is forgotten, and nobody asks because of it")
    func ended() {
        var fresh = FreshPrograms()
        for number: UInt64 in 1...3 { _ = fresh.add(number, now: start) }
        let early = fresh.aged(now: start + time / 2) { $0 == 2 }
        #expect(early.numbers.isEmpty && early.pause == time / 2)
        let late = fresh.aged(now: start + time) { _ in false }
        #expect(late.numbers.isEmpty && late.pause == nil)
        let isFirstAgain = fresh.add(4, now: start + time)
        #expect(isFirstAgain)
    }

    @Test("what fills a pipe at once is read while the program runs, after any number of short ones")
    func fillsAtOnce() async throws {
        for _ in 0..<3 {
            for _ in 0..<5 { #expect(try await shell("exit 0").attempt() == nil) }
            let fifo = try Fifo(at: directory.file("fifo"))
            // The word comes when the last of it is in the pipe, so most of it was read.
            let running = Task {
                try await shell("exec 9>fifo; head -c 1048576 /dev/zero; echo end; echo ready >&9; sleep 600").attempt()
            }
            #expect(try await fifo.words() == "ready\n")
            running.cancel()
            let report = try #require(try await running.value).report
            #expect(report.output?.isCutAtStart == true && report.output?.text.hasSuffix("\0end\n") == true)
            #expect(await fifo.isAbandoned())
            unlink(directory.file("fifo"))
        }
    }

    @Test("both streams are read when one begins late, and what comes just before the end of the time is kept")
    func beginsLate() async throws {
        let late = try await shell(
            "sleep 0.1; head -c 200000 /dev/zero; echo out; head -c 200000 /dev/zero >&2; echo err >&2"
        )
        .deliver(Deliveries.one())
        #expect(late.output?.text.hasSuffix("\0out\n") == true && late.errors?.text.hasSuffix("\0err\n") == true)
        let fifo = try Fifo(at: directory.file("fifo"))
        let line = "exec 9>fifo; echo out; echo err >&2; echo ready >&9; sleep 600"
        var command = Command(
            program: "/bin/sh", arguments: ["-c", line],
            settings: CommandSettings(directory: directory.path, timeout: .seconds(90), killAfter: .seconds(60)))
        command.sleep = { _ in _ = try await fifo.words() }
        let error = try await Attempt.outcome { [command] () throws(DeliveryError) in
            _ = try await command.run(Deliveries.one())
        }
        #expect(error?.reason == "timed out after 90 s: err")
        #expect(error?.report.output?.text == "out\n" && error?.report.errors?.text == "err\n")
    }

    @Test("texts are given to the kernel as they are, in their order")
    func texts() {
        var texts = ProgramTexts()
        texts.append("PATHS", "no".utf8)
        texts.append("PATH", "a:b".utf8)
        texts.append("".utf8)
        texts.append([0xFF, 0x41])
        let given = texts.withPointers { pointers in
            (0..<5).map { index in pointers[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
        }
        #expect(given == [Array("PATHS=no".utf8), Array("PATH=a:b".utf8), [], [0xFF, 0x41], nil])
        let path = texts.value(of: "PATH") ?? []
        #expect(path.elementsEqual("a:b".utf8))
        #expect(texts.value(of: "PAT") == nil)
        let isEmpty = ProgramTexts().withPointers { $0[0] == nil }
        #expect(isEmpty)
    }
}
