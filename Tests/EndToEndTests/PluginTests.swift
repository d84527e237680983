import Foundation
import Testing
import TminusTestKit

/// The programs of `Examples/plugins`, run by a daemon.
@Suite("Example plug-ins")
struct PluginTests {
    private static let plugins = "\(Program.repository)/Examples/plugins"
    private static let name = #"Tea, "green" \ it's $(date) `date` \n /,","message":"x"}}}"#

    /// Starts a daemon with one timer whose expiry goes to the plug-in.
    private func daemon(_ scratch: Scratch, _ options: String) throws -> RunningDaemon {
        let name = try String(decoding: JSONEncoder().encode([Self.name]), as: UTF8.self)
        try scratch.save(
            "plugin.json",
            """
            {"timers": {"tea": {"duration": "100ms", "name": \(name.dropFirst().dropLast()), "on-expiry": [{\(options)}]}}}
            """)
        return try RunningDaemon(in: scratch)
    }

    @Test("sqlite-log.py stores each delivery in a row")
    func sqliteLog() async throws {
        let scratch = try Scratch()
        let file = "\(scratch.path)/log/deliveries.sqlite"
        let daemon = try daemon(
            scratch, #""plugin": "\#(Self.plugins)/sqlite-log.py", "config": {"database": "\#(file)"}"#)
        try await daemon.ready()
        try await scratch.query("SELECT state FROM delivery", yields: ["delivered"])
        #expect(try await daemon.stop() == 0)
        let reader = try Program("sqlite3", [file, "SELECT subject, attempt, name FROM delivery"])
        #expect(try await reader.end() == 0)
        #expect(reader.output.texts == ["tea|1|\(Self.name)"])
        let check = try Program("sqlite3", [file, "SELECT json_extract(payload, '$.data.message') FROM delivery"])
        try await check.end()
        #expect(check.output.texts == ["\(Self.name) has ended"])
    }

    @Test("sqlite-log.py reports a missing setting")
    func sqliteLogWithoutDatabase() async throws {
        let scratch = try Scratch()
        let daemon = try daemon(scratch, #""plugin": "\#(Self.plugins)/sqlite-log.py""#)
        let line = try await daemon.errors.first("a retry") { $0.contains("the delivery will be retried") }
        #expect(line.text.contains("ended with exit status 1: write config: { database: path }"), "\(line.text)")
        try await daemon.stop()
    }

    @Test("text-log.sh appends a line with the message unchanged")
    func textLog() async throws {
        let scratch = try Scratch()
        let daemon = try daemon(
            scratch,
            #""plugin": "\#(Self.plugins)/text-log.sh", "environment": {"LOG_FILE": "\#(scratch.config)/hook.log"}"#)
        try await daemon.ready()
        let lines = try await scratch.lines(1, of: "hook.log")
        #expect(lines[0].hasSuffix(" \(Self.name) has ended"), "\(lines)")
        try await scratch.query("SELECT state FROM delivery", yields: ["delivered"])
        let ids = try await scratch.query("SELECT id FROM delivery")
        #expect(ids == [String(lines[0].prefix { $0 != " " })])
        try await daemon.stop()
    }

    @Test("the plug-ins' sample configuration is valid")
    func sample() async throws {
        let check = try Program(Program.tminus, ["check", "--insecure-permissions", Self.plugins])
        #expect(try await check.end() == 0, "\(check.output.texts) \(check.errors.texts)")
    }

    @Test("a hook's secret appears in no file, log or listing")
    func canary() async throws {
        let scratch = try Scratch()
        let canary = "canary-\(UUID().uuidString)"
        try Data("\(canary)\n".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/token"))
        // The hook prints the secret and searches the command line of every process for it.
        let script = #"""
            echo "$TOKEN"; echo "$TOKEN" >&2; printf %s "$TOKEN" | md5sum > seen
            python3 -c 'import glob, os
            token = os.environ["TOKEN"].encode()
            for name in glob.glob("/proc/[0-9]*/cmdline"):
                try:
                    if token in open(name, "rb").read(): open("listed", "w")
                except OSError: pass'
            exit 3
            """#
        try Script.write("#!/bin/sh\n\(script)\n", to: "\(scratch.config)/hook.sh")
        let daemon = try daemon(
            scratch, #""exec": ["./hook.sh"], "environment": {"TOKEN": {"file": "\#(scratch.path)/token"}}"#)
        let line = try await daemon.errors.first("the failure") { $0.contains("delivery is dead") }
        #expect(line.text.contains("exit status 3: (secret)"), "\(line.text)")
        try await scratch.query("SELECT state FROM delivery", yields: ["dead"])
        try await daemon.stop()
        let files = FileManager.default
        #expect(files.fileExists(atPath: "\(scratch.config)/seen"))
        #expect(!files.fileExists(atPath: "\(scratch.config)/listed"))
        for directory in [scratch.state, scratch.config] {
            for name in try files.contentsOfDirectory(atPath: directory) {
                let content = files.contents(atPath: "\(directory)/\(name)") ?? Data()
                #expect(content.range(of: Data(canary.utf8)) == nil, "\(name)")
            }
        }
        #expect(!(daemon.output.texts + daemon.errors.texts).contains { $0.contains(canary) })
    }

    @Test("shellcheck finds nothing in the plug-ins", .enabled(if: PluginTests.hasShellcheck))
    func shellcheck() async throws {
        let check = try Program("shellcheck", ["\(Self.plugins)/text-log.sh"])
        #expect(try await check.end() == 0, "\(check.output.texts)")
    }

    private static let hasShellcheck = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/shellcheck") }
}
