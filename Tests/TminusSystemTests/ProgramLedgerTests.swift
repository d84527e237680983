import CPlatform
import Foundation
import Glibc
import Testing
import TminusTestKit

@testable import TminusSystem

@Suite("The ledger of running programs")
struct ProgramLedgerTests {
    private let path = NSTemporaryDirectory() + "tminus-ledger-" + UUID().uuidString
    private let label = "0123456789abcdef0123456789abcdef"

    private func ledger(boot: String = ProgramLedger.currentBoot) throws -> ProgramLedger {
        try ProgramLedger(path: path, boot: boot)
    }

    /// Runs a shell line that a ledger records, and returns when it has written a line.
    private func run(_ line: String, in ledger: ProgramLedger, killAfter: Duration = .seconds(60)) async throws
        -> (program: RunningProgram, output: String)
    {
        let output = Watched("")
        let program = try await ProgramLedger.$current.withValue(ledger) {
            let start = ProgramStart(
                program: "/bin/sh", arguments: ["-c", line, path], environment: ProgramTexts(), directory: "/",
                label: label, killAfter: killAfter)
            return try await RunningProgram.start(
                start, on: ProgramStarter(),
                output: { piece in output.update { $0 += String(decoding: piece, as: UTF8.self) } }, errors: { _ in })
        }
        #expect(await output.wait(upTo: Bounded.limit) { $0.contains("\n") })
        return (program, output.value)
    }

    private func end(_ program: RunningProgram) async {
        program.send(SIGKILL)
        await program.ended()
        _ = program.finish()
    }

    @Test("a program is recorded before it runs, and until it is reaped; its place is used again")
    func lifetime() async throws {
        defer { unlink(path) }
        let ledger = try ledger()
        ledger.reset()
        // All three hang, for the test to end them one by one.
        let (first, output) = try await run(
            #"tr '\0' '\n' <"$0" | grep -ao \#(label); exec sleep 600"#, in: ledger)
        #expect(output == "\(label)\n")
        let record = try #require(try self.ledger().records.first)
        #expect(record.group == first.id && record.label == label && record.killAfter == .seconds(60))
        #expect(record.isLeader(try #require(ProcessStat(of: first.id))))
        // As above.
        let (second, _) = try await run("echo; exec sleep 600", in: ledger)
        #expect(Set(ledger.records.map(\.group)) == [first.id, second.id])
        await end(first)
        #expect(ledger.records.map(\.group) == [second.id])
        await end(second)
        #expect(ledger.records.isEmpty)
        // As above.
        let (third, _) = try await run("echo; exec sleep 600", in: ledger)
        await end(third)
        var status = stat()
        #expect(stat(path, &status) == 0 && Int(status.st_size) == 3 * ProgramRecord.size)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("a program that cannot be started leaves no record")
    func notStarted() async throws {
        defer { unlink(path) }
        let ledger = try ledger()
        ledger.reset()
        await #expect(throws: StartProblem.self) {
            try await ProgramLedger.$current.withValue(ledger) {
                let start = ProgramStart(
                    program: "/nowhere", arguments: [], environment: ProgramTexts(), directory: "/", label: label)
                _ = try await RunningProgram.start(start, on: ProgramStarter(), output: { _ in }, errors: { _ in })
            }
        }
        #expect(ledger.records.isEmpty)
    }

    @Test("the rest of a program ends by TERM, also when its leader has ended")
    func heirs() async throws {
        defer { unlink(path) }
        let ledger = try ledger()
        ledger.reset()
        // The child hangs, for the ledger to end it.
        let (program, _) = try await run("sleep 600 >/dev/null 2>&1 & echo", in: ledger)
        await program.ended()
        #expect(ProcessGroup(id: program.id).hasLivingMember())
        let ended = await ledger.endLeftovers(within: Bounded.limit)
        #expect(ended == [LeftoverProgram(id: program.id, label: label, isKilled: false, isAlive: false)])
        #expect(!ProcessGroup(id: program.id).hasLivingMember())
        #expect(ledger.records.isEmpty)
        _ = program.finish()
    }

    @Test("programs that ignore TERM get KILL, all at the same time")
    func killed() async throws {
        defer { unlink(path) }
        let ledger = try ledger()
        ledger.reset()
        var programs: [RunningProgram] = []
        for _ in 1...3 {
            // It hangs, for KILL to end it.
            let line = "trap '' TERM; sleep 600 & echo; wait"
            programs.append(try await run(line, in: ledger, killAfter: .seconds(1)).program)
        }
        let start = ContinuousClock.now
        let ended = await ledger.endLeftovers()
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(ended.map(\.id) == programs.map(\.id))
        #expect(ended.allSatisfy { $0.isKilled && !$0.isAlive })
        for program in programs { await end(program) }
    }

    @Test("nothing is ended on the word of a damaged file, of another boot, or of an id that another process has now")
    func others() async throws {
        defer { unlink(path) }
        let ledger = try ledger()
        ledger.reset()
        // It hangs, for the test to see that nobody ends it.
        let (program, _) = try await run("echo; exec sleep 600", in: ledger)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try self.ledger(boot: "another").records.isEmpty)

        // The process with that id began before the record, and it has another number.
        var record = try #require(ledger.records.first).raw
        record.token ^= 1
        record.earliest += 1_000_000_000
        record.latest += 1_000_000_000
        // Ids by which kill(2) would signal the own group or every process, and the id of nobody.
        let groups = [record.group, 0, 1, -1, -record.group, getpgrp(), .max]
        let damaged =
            groups.map { group in
                var record = record
                record.group = group
                return good.prefix(ProgramRecord.size) + withUnsafeBytes(of: record) { Data($0) }
            } + [
                Data(), good.prefix(ProgramRecord.size + 40), Data(repeating: 0xFF, count: 1_000),
                good.prefix(ProgramRecord.size) + Data(repeating: 0xFF, count: 1_000),
            ]
        for bytes in damaged {
            try bytes.write(to: URL(fileURLWithPath: path))
            let ended = await (try self.ledger()).endLeftovers(within: .zero)
            #expect(ended.isEmpty)
        }
        #expect(try #require(ProcessStat(of: program.id)).isAlive)
        await end(program)
    }

    @Test("a program gets TERM when the process that started it is killed")
    func parentDeath() async throws {
        let file = path
        defer { unlink(file) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [file = file as String] in
            // Its end is no end of input for the program, whose streams are all closed.
            // It hangs, for TERM to end it.
            let start = ProgramStart(
                program: "/bin/sh", arguments: ["-c", "echo $$; exec sleep 600"], environment: ProgramTexts(),
                directory: "/")
            _ = try await RunningProgram.start(start, on: ProgramStarter()) { piece in
                try? Data(piece).write(to: URL(fileURLWithPath: file))
                kill(getpid(), SIGKILL)
            } errors: { _ in
            }
            // KILL ends this process here; without it the exit test fails.
            try await Task.sleep(for: .seconds(60))
        }
        let text = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        let process = try #require(pid_t(text))
        // It belongs to nobody here; where nobody reaps it, it stays as a zombie.
        let descriptor = tminus_process_descriptor(process)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, 60_000) == 1)
    }

    @Test("starts of one starter come one after another, those of others beside them, on threads that stay")
    func starters() async throws {
        let threads = Watched<[String]>([])
        let (gate, blocked) = (DispatchSemaphore(value: 0), ProgramStarter())
        try blocked.run { gate.wait() }
        try blocked.run { threads.update { $0.append(MachinePaths.absolute("/proc/thread-self")) } }
        for count in 1...3 {
            try ProgramStarter().run { threads.update { $0.append(MachinePaths.absolute("/proc/thread-self")) } }
            #expect(await threads.wait(upTo: Bounded.limit) { $0.count == count })
        }
        gate.signal()
        #expect(await threads.wait(upTo: Bounded.limit) { $0.count == 4 })
        for thread in threads.value { #expect(access(thread, F_OK) == 0) }
    }
}
