import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

/// The output of programs that were started just now.
@Suite("Programs that were just started")
struct FreshProgramTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func shell(_ line: String) -> ShellSink {
        ShellSink(line, CommandSettings(directory: directory.path, timeout: .seconds(90)))
    }

    @Test("what fills a pipe at once is read while the program runs, after any number of short ones")
    func fillsAtOnce() async throws {
        for _ in 0..<3 {
            for _ in 0..<5 { #expect(try await shell("exit 0").attempt() == nil) }
            let fifo = try Fifo(at: directory.file("fifo"))
            // The word comes when the last of it is in the pipe, so most of it was read.
            let running = Task {
                // It hangs, for the cancellation to end it.
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
            // Late is the test: the streams are silent at first.
            "sleep 0.1; head -c 200000 /dev/zero; echo out; head -c 200000 /dev/zero >&2; echo err >&2"
        )
        .deliver(Deliveries.one())
        #expect(late.output?.text.hasSuffix("\0out\n") == true && late.errors?.text.hasSuffix("\0err\n") == true)
        let fifo = try Fifo(at: directory.file("fifo"))
        // It hangs, for the time limit to end it.
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
}
