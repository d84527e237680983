import Foundation
import Testing
import TminusTestKit

/// Searches for secrets from every source wherever they might leak.
@Suite("Secrets")
struct SecretCanaryTests {
    /// Split in the source, so that the search itself does not contain the whole text.
    private static let mark = "cana" + "ry"
    private let scratch: Scratch
    private let variable = "\(mark)-variable-\(UUID().uuidString)"
    private let file = "\(mark)-file-\(UUID().uuidString)"
    private let credential = "\(mark)-credential-\(UUID().uuidString)"

    init() throws {
        scratch = try Scratch()
    }

    @Test("a secret from a variable, file or credential appears in no log, error, store, output or process")
    func nowhere() async throws {
        let server = try await WebServer(answers: [410])
        let environment = try environment()
        try scratch.save("secrets.json", definitions(server))
        let daemon = try RunningDaemon(in: scratch, ["--log-level", "trace"], environment: environment)
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'dead'", yields: ["2"])
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'delivered'", yields: ["1"])

        // The test proves something only if the secrets were used: the server received each of them.
        let headers = try #require(try await server.requests(1).first).headers
        #expect([headers["x-a"], headers["x-b"], headers["x-c"]] == [variable, file, credential])
        // A command without secrets finds none in its environment, nor in the command line of any process.
        #expect(scratch.lines("looked") == ["environment: 0", "command lines: 0"])
        try expectNone(in: stored())
        for words in [["fire", "t", "--dry-run"], ["fire", "t", "--dry-run", "--json"]] {
            let tool = try Program(Program.tminus, words + ["--state", scratch.state], environment: environment)
            #expect(try await tool.end() == 0, "\(words): \(tool.errors.texts)")
            expectNone(in: tool.output.texts + tool.errors.texts, words.joined(separator: " "))
        }
        try await daemon.stop()
        try expectNone(in: stored())
        expectNone(in: daemon.output.texts + daemon.errors.texts, "the log")
        #expect(daemon.errors.texts.contains { $0.contains("delivery is dead") })

        for words in [
            ["check", "--json", scratch.config], ["next", "--json", "--config", scratch.config],
            ["diff", "--json", "--config", scratch.config, "--state", scratch.state],
            [
                "simulate", "--json", "--config", scratch.config, "--from", "2026-12-01T00:00:00Z",
                "--to", "2026-12-01T00:01:00Z",
            ],
        ] {
            let tool = try Program(Program.tminus, words, environment: environment)
            #expect([0, 1].contains(try await tool.end()), "\(words): \(tool.errors.texts)")
            expectNone(in: tool.output.texts + tool.errors.texts, words[0])
        }
    }

    @Test("the error about an unusable secret does not contain it", arguments: ["\u{1}", "\n"])
    func unusable(_ part: String) async throws {
        let environment = try environment(part)
        try scratch.save("secrets.json", definitions(try await WebServer(answers: [410])))
        let daemon = try RunningDaemon(in: scratch, ["--log-level", "trace"], environment: environment)
        try await daemon.errors.first("a failure") { $0.contains("attempt failed") }
        try await daemon.stop()
        expectNone(in: daemon.output.texts + daemon.errors.texts, "the log")
        try expectNone(in: stored())
    }

    @Test("a secret that a receiver repeats in another form, or that a window cuts, is kept nowhere")
    func otherForms() async throws {
        let word = "\(UUID().uuidString)/\(UUID().uuidString)"
        try Data("Bearer \(word)\n".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/token"))
        try Data(Self.forms.utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/forms.py"))
        let server = try await WebServer(
            answers: [410],
            body: "\(Self.forms)\ndef body(headers): return repeated(headers['authorization'])[:4200].encode()")
        let python = "env PYTHONPATH='\(scratch.path)' python3 -c"
        let hook = "\(python) 'import forms; forms.tell()'; exit 3"
        try Script.write(
            "#!/bin/sh\nexec \(python) 'import forms; forms.answer()'\n", to: "\(scratch.config)/plugin.sh")
        let environment = ["SECRET": ["file": "\(scratch.path)/token"]]
        let actions: [Any] = [
            ["shell": hook, "environment": environment], ["plugin": "./plugin.sh", "environment": environment],
            ["webhook": server.url(), "headers": ["Authorization": ["file": "\(scratch.path)/token"]]],
        ]
        let definitions = ["timers": ["t": ["duration": "100ms", "on-expiry": actions, "on-failure": ["stdout"]]]]
        try scratch.save(
            "secrets.json",
            String(decoding: try JSONSerialization.data(withJSONObject: definitions), as: UTF8.self))
        let daemon = try RunningDaemon(in: scratch, ["--log-level", "trace"])
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'dead'", yields: ["3"])
        for words in [
            ["deliveries", "--json"], ["deliveries"], ["history", "t", "--json"], ["why", "t"], ["show", "t"],
        ] {
            let tool = try Program(Program.tminus, words + ["--state", scratch.state])
            #expect(try await tool.end() == 0, "\(words): \(tool.errors.texts)")
            expectNone(
                of: word, in: Data((tool.output.texts + tool.errors.texts).joined(separator: "\n").utf8), words[0])
        }
        let shown = try Program(Program.tminus, ["deliveries", "--json", "--state", scratch.state])
        try await shown.end()
        // The test proves something only if the receivers said the secret.
        let marks = shown.output.texts.joined().split(separator: "(secret)").count
        #expect(marks > 20, "\(shown.output.texts)")
        #expect(daemon.errors.texts.filter { $0.contains("(secret)") }.count >= 4, "\(daemon.errors.texts)")
        try await daemon.stop()
        for (name, content) in try stored() { expectNone(of: word, in: content, name) }
        for line in daemon.output.texts + daemon.errors.texts { expectNone(of: word, in: Data(line.utf8), line) }
    }

    /// Searches for each part of 8 characters of a secret, plain and in base64, and for characters that are escaped though
    /// they need not be.
    private func expectNone(of word: String, in content: Data, _ place: String) {
        let encoded = ["", "u", "us"].map { before in
            Data("\(before)Bearer \(word)".utf8).base64EncodedString().dropFirst(12)
        }
        let parts = Set(([word[...]] + encoded).flatMap { Self.parts(Array($0.utf8)) })
        for part in Set(Self.parts(Array(content))).intersection(parts) {
            let letters = withUnsafeBytes(of: part.bigEndian) { String(decoding: $0, as: UTF8.self) }
            Issue.record("\(letters) in \(place)")
        }
        let text = String(decoding: content, as: UTF8.self)
        for escapes in [#/u00[2-6][0-9a-fA-F]/#, #/%[2-6][0-9A-F]%[2-6][0-9A-F]/#] where text.contains(escapes) {
            Issue.record("an escaped letter in \(place)")
        }
    }

    /// Each run of 8 bytes as a number.
    private static func parts(_ bytes: [UInt8]) -> [UInt64] {
        var number: UInt64 = 0
        return bytes.enumerated().compactMap { index, byte in
            number = number << 8 | UInt64(byte)
            return index >= 7 ? number : nil
        }
    }

    /// A Python module that says a secret in many forms.
    private static let forms = #"""
        import base64, json, os, sys, urllib.parse

        def forms(secret):
            word = secret.split(" ")[1]
            yield from [secret, word, word[5:30], word[:12] + "\n" + word[12:]]
            for before in "", "u", "us":
                yield base64.b64encode((before + secret).encode()).decode()
            yield base64.urlsafe_b64encode(secret.encode()).decode()
            yield "".join("%%%02X" % byte for byte in secret.encode())
            yield urllib.parse.quote_plus(secret)
            yield json.dumps(secret).replace("/", "\\/")
            yield json.dumps(json.dumps(secret))
            yield "".join("\\u%04x" % ord(letter) for letter in secret)
            yield "x" * 480 + word

        def repeated(secret):
            return ("\n".join(forms(secret)) + "\n") * 5

        def tell():
            secret = os.environ["SECRET"]
            print(repeated(secret))
            # The last line of standard error is the reason.
            sys.stderr.write(repeated(secret) + "x" * 190 + secret + "\n")

        def answer():
            sys.stdin.readline()
            secret = os.environ["SECRET"]
            for form in forms(secret):
                sys.stderr.write(form + "\n")
            sys.stderr.flush()
            print(json.dumps({"ready": 1}), flush=True)
            print("x" * 70 + secret, flush=True)
            delivery = json.loads(sys.stdin.readline())["deliver"]["id"]
            print(json.dumps({"id": delivery, "outcome": "dead", "reason": "x" * 190 + secret}), flush=True)
            sys.stdin.readline()
        """#

    /// The environment of a daemon with all three secrets; `part` is inserted into each.
    private func environment(_ part: String = "") throws -> [String: String] {
        let credentials = "\(scratch.path)/credentials"
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
        try Data("\(credential)\(part)x".utf8.dropLast(part.isEmpty ? 1 : 0))
            .write(to: URL(fileURLWithPath: "\(credentials)/token"))
        try Data("\(file)\(part)x".utf8.dropLast(part.isEmpty ? 1 : 0))
            .write(to: URL(fileURLWithPath: "\(scratch.path)/token"))
        var environment = Program.environment
        environment["TMINUS_TEST_TOKEN"] = "\(variable)\(part)\(part.isEmpty ? "" : "x")"
        environment["CREDENTIALS_DIRECTORY"] = credentials
        return environment
    }

    /// Definitions with a webhook that has all three secrets in its headers, a webhook whose URL is a secret, a command
    /// that prints its secrets, and a command without secrets that searches for them.
    private func definitions(_ server: WebServer) throws -> String {
        let look = #"""
            python3 -c 'import glob
            mark = b"cana" + b"ry-"
            own = open("/proc/self/environ", "rb").read().count(mark)
            listed = 0
            for name in glob.glob("/proc/[0-9]*/cmdline"):
                try: listed += open(name, "rb").read().count(mark)
                except OSError: pass
            print("environment:", own)
            print("command lines:", listed)' > looked
            """#
        let aloud = #"echo "$A $B $C"; echo "$A $B $C" >&2; exit 3"#
        let actions: [Any] = [
            ["shell": look], ["shell": aloud, "environment": ["A": secret(0), "B": secret(1), "C": secret(2)]],
            ["webhook": server.url(), "headers": ["X-A": secret(0), "X-B": secret(1), "X-C": secret(2)]],
            ["webhook": secret(1)],
        ]
        let definitions = ["timers": ["t": ["duration": "100ms", "on-expiry": actions]]]
        return String(decoding: try JSONSerialization.data(withJSONObject: definitions), as: UTF8.self)
    }

    private func secret(_ number: Int) -> [String: String] {
        [["env": "TMINUS_TEST_TOKEN"], ["file": "\(scratch.path)/token"], ["credential": "token"]][number]
    }

    /// The content of every file in the state directory.
    private func stored() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.state) {
            contents[name] = FileManager.default.contents(atPath: "\(scratch.state)/\(name)")
        }
        return contents
    }

    private func expectNone(in files: [String: Data]) throws {
        #expect(files.keys.contains("tminus.sqlite"))
        for (name, content) in files { #expect(content.range(of: Data("\(Self.mark)-".utf8)) == nil, "\(name)") }
    }

    private func expectNone(in texts: [String], _ place: String) {
        #expect(!texts.contains { $0.contains("\(Self.mark)-") }, "\(place)")
    }
}
