import Foundation
import Glibc
import Testing
import TminusTestKit

@Suite("check and what sinks need")
struct CheckTests {
    private func tminus(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(
            Program.tminus, arguments, environment: Program.environment.merging(environment) { _, new in new })
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    private static let wanting = """
        sinks:
          chat: { webhook: https://example.com/, secret: { env: TMINUS_NO_SUCH } }
          key: { webhook: https://example.com/, secret: { file: ./no-such-key } }
          lines: { webhook-file: ../no-such/out.ndjson }
        timers:
          a: { duration: 1h, on-expiry: [{ shell: ./gone.sh --all }, { exec: ./plain.sh --all }] }
          b: { duration: 1h, on-expiry: { exec: [./plain.sh] } }
          c: { duration: 1h, on-expiry: { shell: "no-such-program-of-tminus now" } }

        """

    /// The messages that each missing thing has, in the order of the file.
    private func expected(_ scratch: Scratch) -> [String] {
        let (file, config) = ("\(scratch.config)/a.yaml", scratch.config)
        return [
            "\(file):2:57: warning: the variable 'TMINUS_NO_SUCH' is not set in the environment of tminus",
            "\(file):3:57: warning: the file '\(config)/./no-such-key' cannot be read: No such file or directory",
            "\(file):4:26: warning: the directory '\(config)/../no-such' does not exist; make it",
            "\(file):6:43: warning: there is no program '\(config)/./gone.sh'",
            "\(file):6:70: warning: there is no program '\(config)/./plain.sh --all'; "
                + "write a program and its arguments as a list, [./plain.sh, --all], or use 'shell'",
            "\(file):7:42: warning: the program '\(config)/./plain.sh' may not be executed; try 'chmod +x'",
        ]
    }

    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wanting)
        try scratch.save("plain.sh", "#!/bin/sh\n")
        return scratch
    }

    @Test("check warns of every hook, secret and directory that is missing, with line and column")
    func missing() async throws {
        let scratch = try scratch()
        let result = try await tminus(["check", scratch.config])
        #expect(result.status == 0)
        #expect(result.output == ["3 definitions in 1 file, 0 errors, 7 warnings"])
        let lines = result.errors.filter { $0.contains(": warning: ") }
        #expect(Array(lines.prefix(6)) == expected(scratch))
        #expect(
            lines.last?.contains("8:43: warning: there is no program 'no-such-program-of-tminus' in PATH (") == true)
        #expect(result.errors.contains(String(repeating: " ", count: 42) + "^~~~~~~~~"), "the first word is underlined")
    }

    @Test("check --strict makes what is missing an error, and a daemon with --strict does not start")
    func strict() async throws {
        let scratch = try scratch()
        let result = try await tminus(["check", "--strict", scratch.config])
        #expect(result.status == 65 && result.output == ["3 definitions in 1 file, 7 errors, 0 warnings"])
        let daemon = try RunningDaemon(in: scratch, ["--strict"])
        #expect(try await daemon.program.end() == 65)
        #expect(daemon.errors.texts.contains { $0.contains("error: there is no program") })
    }

    @Test("the daemon warns of what is missing at load, and not of what is there")
    func run() async throws {
        let scratch = try scratch()
        let daemon = try RunningDaemon(in: scratch)
        for message in expected(scratch) { try await daemon.errors.first("a warning") { $0 == message } }
        try scratch.save("b.yaml", "timers: { d: { duration: 1h, on-expiry: { exec: ./new.sh } } }\n")
        try await daemon.errors.first("a warning after an edit") {
            $0.contains("b.yaml:1:49: warning: there is no program")
        }
        #expect(try await daemon.stop() == 0)
        #expect(daemon.errors.texts.filter { $0.contains("gone.sh'") }.count == 1, "each is said once")
    }

    @Test("nothing is said of what is there")
    func present() async throws {
        let scratch = try Scratch()
        try Script.write("#!/bin/sh\n", to: "\(scratch.config)/hook.sh")
        try scratch.save("key", "x\n")
        // `check` runs nothing of this: the sleep stands for any program before `&&`.
        try scratch.save(
            "a.yaml",
            """
            sinks:
              chat: { webhook: https://example.com/, secret: [{ env: TMINUS_SUCH }, { file: ./key }] }
              lines: { webhook-file: ../out.ndjson }
            timers:
              a: { duration: 1h, on-expiry: [{ shell: ./hook.sh --all }, { exec: [./hook.sh, --all] }, { exec: [sh, -c, x] }] }
              b: { duration: 1h, on-expiry: { shell: "sleep 1 && ./gone.sh" } }

            """)
        let result = try await tminus(["check", "--strict", scratch.config], environment: ["TMINUS_SUCH": "x"])
        #expect(result == (0, ["2 definitions in 1 file, 0 errors, 0 warnings"], []))
    }

    @Test("the schema may be in the config directory: it is ignored, and check and status say so")
    func schema() async throws {
        let scratch = try Scratch()
        try scratch.save("tminus.schema.json", try await tminus(["schema"]).output.joined(separator: "\n"))
        try scratch.save(
            "a.json",
            #"{"$schema": "./tminus.schema.json", "timers": {"t": {"duration": "1h", "on-expiry": []}}}"# + "\n")
        let result = try await tminus(["check", scratch.config])
        #expect(result.status == 0 && result.output == ["1 definition in 1 file, 0 errors, 0 warnings"])
        let reason = "it is a JSON Schema by its name, not a definition file"
        #expect(result.errors == ["\(scratch.config)/tminus.schema.json: note: ignored: \(reason)"])
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let status = try await tminus(["status", "--state", scratch.state])
        #expect(status.status == 0 && status.output.last == "  ignored: tminus.schema.json: \(reason)")
        #expect(try await daemon.stop() == 0)
    }

    @Test("a directory of payloads inside the config directory is an error of that sink")
    func payloads() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "sinks: { drop: { webhook-file: { directory: ./drop } } }\n")
        let result = try await tminus(["check", scratch.config])
        #expect(result.status == 65)
        #expect(
            result.errors.first
                == "\(scratch.config)/a.yaml:1:45: error: payloads cannot be written here: it is inside the config directory, "
                + "where tminus would read them as definitions")
    }

    @Test("all of more problems than any buffer holds are written")
    func manyProblems() async throws {
        let scratch = try Scratch()
        // Each lead that is not shorter than its timer is a warning.
        let leads = (60...800).map { "\($0)m" }.joined(separator: ", ")
        for number in 1...8 {
            try scratch.save("\(number).yaml", "timers: { t\(number): { duration: 1h, remind: [\(leads)] } }\n")
        }
        let check = try Program(Program.tminus, ["check", scratch.config])
        #expect(try await check.end() == 0)
        #expect(check.errors.texts.count { $0.contains("the reminder will never fire") } == 8 * 741)
    }
}
