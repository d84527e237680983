import Foundation
import Glibc
import Testing

/// Timers without a file, and what the commands say while something is wrong.
@Suite("Commands at a daemon")
struct AdHocCommandTests {
    private func tminus(_ arguments: [String]) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, arguments)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("an expired timer gives up its name; a running one does not, and is removed by 'remove'")
    func nameAgain() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let places = ["--state", scratch.state]
        for count in 1...3 {
            let made = try await tminus(["timer", "100ms", "--name", "one", "--then", "echo x >> ran"] + places)
            #expect(made.status == 0, "\(made.errors)")
            try await scratch.lines(count, of: "ran")
        }
        #expect(try await tminus(["timer", "1h", "--name", "one"] + places).status == 0)
        let again = try await tminus(["timer", "1h", "--name", "one"] + places)
        #expect(again == (65, [], ["tminus: 'one' is in use; give another name or id"]))
        let remove = ["remove", "one", "--config", scratch.config] + places
        #expect(try await tminus(remove) == (0, ["removed timer 'one', which had no file"], []))
        let gone = try await tminus(remove)
        #expect(gone.status == 65)
        #expect(gone.errors.last?.contains("no definition 'one' in \(scratch.config)") == true)
        try await daemon.stop()
    }
}
