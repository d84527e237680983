import Foundation
import Testing

/// The scripts of `Examples/hooks`, run by a daemon.
@Suite("Example hooks")
struct HookTests {
    private static let hooks = "\(Program.repository)/Examples/hooks"
    private static let name = #"Tea, "green", it's $(date) `date` \n, 5,-"#

    /// Starts a daemon with one timer that runs the hook at its expiry.
    private func daemon(_ scratch: Scratch, _ hook: String, _ environment: [String: String] = [:]) throws
        -> RunningDaemon
    {
        let settings = try String(decoding: JSONEncoder().encode(environment), as: UTF8.self)
        let name = try String(decoding: JSONEncoder().encode([Self.name]), as: UTF8.self)
        try scratch.save(
            "hook.json",
            """
            {"timers": {"tea": {"duration": "100ms", "name": \(name.dropFirst().dropLast()), "on-expiry":
              [{"exec": ["\(Self.hooks)/\(hook)"], "environment": \(settings)}]}}}
            """)
        return try RunningDaemon(in: scratch)
    }

    @Test("log-line.sh appends a line of text")
    func logLine() async throws {
        let scratch = try Scratch()
        let daemon = try daemon(scratch, "log-line.sh", ["TMINUS_LOG": "\(scratch.config)/hook.log"])
        let lines = try await scratch.lines(1, of: "hook.log")
        #expect(lines[0].hasSuffix(" tea: \(Self.name) has ended"))
        try await scratch.query("SELECT state FROM delivery", yields: ["delivered"])
        try await daemon.stop()
    }

    @Test("append-csv.sh quotes the name, and appends a repeated delivery only once")
    func appendCSV() async throws {
        let scratch = try Scratch()
        let file = "\(scratch.config)/hook.csv"
        let daemon = try daemon(scratch, "append-csv.sh", ["CSV_FILE": file])
        try await daemon.ready()
        try await scratch.query("SELECT state FROM delivery", yields: ["delivered"])
        let id = try #require(try await scratch.query("SELECT id FROM delivery").first)
        try await daemon.stop()

        var environment = Program.environment
        environment.merge([
            "CSV_FILE": file, "TMINUS_DELIVERY": id, "TMINUS_DUE": "2030-01-01T00:00:00Z", "TMINUS_ID": "tea",
            "TMINUS_NAME": Self.name, "TMINUS_LATE": "0",
        ]) { $1 }
        let repeated = try Program("\(Self.hooks)/append-csv.sh", environment: environment)
        #expect(try await repeated.end() == 0)

        let reader = try Program(
            "python3", ["-c", "import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1])))))", file])
        #expect(try await reader.end() == 0)
        let rows = try JSONDecoder().decode([[String]].self, from: Data(reader.output.texts.joined().utf8))
        #expect(rows.count == 1)
        #expect(rows.first?[1...2] == ["tea", Self.name])
        #expect(rows.first?.last == id)
    }

    @Test("chat-webhook.sh posts the message, and its secret URL appears in no process listing")
    func chatWebhook() async throws {
        let scratch = try Scratch()
        let server = try await WebServer(answers: [200])
        let secret = "\(scratch.path)/chat-url"
        let address = server.url("/canary-address-\(UUID().uuidString)")
        try Data("\(address)\n".utf8).write(to: URL(fileURLWithPath: secret))
        let daemon = try daemon(scratch, "chat-webhook.sh", ["CHAT_URL_FILE": secret])
        let request = try await server.requests(1)[0]
        let body = try JSONDecoder().decode([String: String].self, from: Data(request.body.utf8))
        #expect(body == ["text": "\(Self.name) has ended"])
        #expect(!request.isListed)
        try await scratch.query("SELECT state FROM delivery", yields: ["delivered"])
        let ids = try await scratch.query("SELECT id FROM delivery")
        #expect(ids == [request.headers["idempotency-key"]])
        try await daemon.stop()
    }

    @Test("chat-webhook.sh requests a retry when the chat refuses")
    func chatRefuses() async throws {
        let scratch = try Scratch()
        let server = try await WebServer(answers: [503, 200])
        let secret = "\(scratch.path)/chat-url"
        try Data(server.url("/secret").utf8).write(to: URL(fileURLWithPath: secret))
        let daemon = try daemon(scratch, "chat-webhook.sh", ["CHAT_URL_FILE": secret])
        let keys = try await server.requests(2).map { $0.headers["idempotency-key"] }
        #expect(keys[0] == keys[1])
        try await daemon.stop()
    }

    @Test("desktop-notification.sh requests a retry while there is no session bus")
    func desktopNotification() async throws {
        let scratch = try Scratch()
        let daemon = try daemon(scratch, "desktop-notification.sh")
        let line = try await daemon.errors.first("a retry") { $0.contains("the delivery will be retried") }
        #expect(line.text.contains("exit status 75"))
        try await daemon.stop()
    }

    @Test("shellcheck finds nothing in the hooks", .enabled(if: HookTests.hasShellcheck))
    func shellcheck() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.hooks)
        let check = try Program("shellcheck", names.map { "\(Self.hooks)/\($0)" })
        #expect(try await check.end() == 0, "\(check.output.texts)")
    }

    private static let hasShellcheck = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/shellcheck") }
}
