import Foundation
import Testing

/// `tminus web`, and browsers that sign in by its links.
@Suite("Signing in")
struct WebCommandTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
    }

    private func tminus(_ arguments: String...) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, arguments + ["--state", scratch.state])
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    /// Signs in with the code of a link, as the page does. Returns the field with the cookie.
    private func signIn(_ port: Int, _ link: String) async throws -> [String: String] {
        let code = try #require(link.split(separator: "#code=").last)
        let answer = try await WebAnswer.get(
            port, "/login", ["Content-Type": "application/json"], method: "POST", body: #"{"code": "\#(code)"}"#)
        #expect(answer.status == 200, "\(answer)")
        let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
        return ["Cookie": String(cookie), "Origin": "http://127.0.0.1:\(port)"]
    }

    @Test("a link signs one browser in under the name of who asked, over restarts, until it is ended")
    func life() async throws {
        var daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--private"])
        try await daemon.ready()
        var port = try await daemon.port()
        let link = try await tminus("web", "--level", "control")
        let address = try #require(link.output.first)
        #expect(link.status == 0 && address.hasPrefix("http://127.0.0.1:\(port)/#code="), "\(link)")
        var fields = try await signIn(port, address)
        let reused = try await WebAnswer.get(
            port, "/login", ["Content-Type": "application/json"], method: "POST",
            body: #"{"code": "\#(address.split(separator: "#code=").last ?? "")"}"#)
        #expect(reused.status == 401)
        #expect(try await WebAnswer.get(port, "/items", fields).status == 200)
        let started = try await WebAnswer.get(port, "/items/tea/start", fields, method: "POST")
        #expect(started.status == 200, "\(started)")
        let history = try await tminus("history", "tea", "--json")
        let user = NSUserName()
        #expect(history.output.joined().contains(#""by":"\#(user)""#), "\(history)")
        try await daemon.stop()
        daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--private"])
        try await daemon.ready()
        port = try await daemon.port()
        fields["Origin"] = "http://127.0.0.1:\(port)"
        #expect(try await WebAnswer.get(port, "/items/tea/pause", fields, method: "POST").status == 200)
        let listed = try await tminus("web", "list")
        let id = try #require(listed.output.first?.split(separator: " ").first)
        #expect(listed.output[0].contains("  \(user)  control  from 127.0.0.1  used "), "\(listed)")
        #expect(try await tminus("web", "end", String(id)).status == 0)
        #expect(try await WebAnswer.get(port, "/items", fields).status == 401)
        #expect(try await tminus("web", "end", String(id)).status == 65)
        try await daemon.stop()
    }

    @Test("a link for editing needs --allow-edit, and any link --listen")
    func refused() async throws {
        let closed = try RunningDaemon(in: scratch)
        try await closed.ready()
        let none = try await tminus("web")
        #expect(none.status == 65 && none.errors.joined().contains("start it with --listen"), "\(none)")
        try await closed.stop()
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        try await daemon.ready()
        let edit = try await tminus("web", "--level", "edit")
        #expect(edit.status == 65 && edit.errors.joined().contains("--allow-edit"), "\(edit)")
        #expect(try await tminus("web", "--level", "root").status == 64)
        try await daemon.stop()
    }
}
