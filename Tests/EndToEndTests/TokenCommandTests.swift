import Foundation
import Testing

/// `tminus token`, and what a running daemon makes of it.
@Suite("Tokens of the program")
struct TokenCommandTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
    }

    private func token(_ arguments: String...) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, ["token"] + arguments + ["--state", scratch.state])
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("a token lets in at once, its name is in the history, and its removal keeps it out")
    func life() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--log-level", "trace"])
        try await daemon.ready()
        let port = try await daemon.port()
        let made = try await token("add", "kitchen", "--level", "control")
        #expect(made.status == 0 && made.output.count == 1)
        let secret = try #require(made.output.first)
        let fields = ["Authorization": "Bearer \(secret)"]
        #expect(try await WebAnswer.get(port, "/items/tea/start", method: "POST").status == 401)
        #expect(try await WebAnswer.get(port, "/items/tea/start", fields, method: "POST").status == 200)
        let history = try await WebAnswer.get(port, "/history", fields)
        #expect(history.status == 200 && history.body.contains(#""by":"kitchen""#), "\(history.body)")
        #expect(try await WebAnswer.get(port, "/history").status == 401)
        let listed = try await token("list")
        #expect(listed.output.count == 1 && listed.output[0].hasPrefix("kitchen  control  20"))
        #expect(try await token("add", "kitchen").status == 65)
        #expect(try await token("remove", "kitchen").status == 0)
        #expect(try await WebAnswer.get(port, "/items/tea/start", fields, method: "POST").status == 401)
        #expect(try await token("remove", "kitchen").status == 65)
        try await daemon.stop()
        // The secret is in what was written to standard output once, and nowhere else.
        let digits = String(secret.dropFirst(7))
        let said = daemon.output.texts + daemon.errors.texts + listed.output
        #expect(said.joined().contains(digits) == false)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.state) {
            let content = FileManager.default.contents(atPath: "\(scratch.state)/\(name)") ?? Data()
            #expect(content.range(of: Data(digits.utf8)) == nil, "\(name)")
        }
    }

    @Test("a token goes to the daemon that other commands ask, whatever its state directory is")
    func daemonOfSocket() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        try await daemon.ready()
        var environment = Program.environment
        environment["TMINUS_SOCKET"] = "\(scratch.state)/control.sock"
        environment["XDG_STATE_HOME"] = "\(scratch.path)/of-somebody-else"
        let program = try Program(Program.tminus, ["token", "add", "lobby"], environment: environment)
        #expect(try await program.end() == 0, "\(program.errors.texts)")
        #expect(FileManager.default.fileExists(atPath: "\(scratch.state)/tokens"))
        try await daemon.stop()
    }

    @Test("with --private a program of this machine needs a token to read")
    func isPrivate() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--private"])
        try await daemon.ready()
        let port = try await daemon.port()
        #expect(try await WebAnswer.get(port, "/items").status == 401)
        #expect(try await WebAnswer.get(port, "/readyz").status == 200)
        let secret = try #require(try await token("add", "prometheus").output.first)
        #expect(try await WebAnswer.get(port, "/metrics", ["Authorization": "Bearer \(secret)"]).status == 200)
        let pair = Data("calendar:\(secret)".utf8).base64EncodedString()
        #expect(try await WebAnswer.get(port, "/items", ["Authorization": "Basic \(pair)"]).status == 200)
        try await daemon.stop()
    }

    @Test("a token file that others can read, or that is named and missing, ends the start with words")
    func unusable() async throws {
        #expect(try await token("add", "lobby").status == 0)
        let path = "\(scratch.state)/tokens"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let open = try RunningDaemon(in: scratch, RunningDaemon.listening)
        #expect(try await open.program.end() == 77)
        let words = open.errors.texts.joined()
        #expect(words.contains("run 'chmod 600 "), "\(words)")
        let missing = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--tokens", "\(scratch.path)/none"])
        #expect(try await missing.program.end() == 64)
        let hint = missing.errors.texts.joined()
        #expect(hint.contains("'tminus token add NAME --tokens \(scratch.path)/none' makes it"), "\(hint)")
    }

    @Test(
        "a name or a level that cannot be is refused with 64",
        arguments: [
            ["add", "a b"], ["add", ""], ["add", "lobby", "--level", "root"], ["add", "x", "--level", "open"],
        ])
    func wrong(arguments: [String]) async throws {
        let program = try Program(Program.tminus, ["token"] + arguments + ["--state", scratch.state])
        #expect(try await program.end() == 64)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.state)/tokens"))
    }
}
