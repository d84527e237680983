import Glibc
import Testing
import TminusCore

@testable import TminusSinks

@Suite("Secrets", .serialized)
struct SecretTests {
    private static let canary = "s3cr3t-canary"

    private func decode(
        _ entries: [(String, String)], in directory: String = "/etc"
    ) -> (source: SecretSource?, messages: [String]) {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let node = Node(.mapping(entries.map { Node.Entry(key: $0.0, value: Node(.scalar($0.1))) }))
        let source = SecretSource(node, for: "secret", context: SinkContext(directory: directory), diagnostics)
        return (source, diagnostics.diagnostics.map(\.message))
    }

    private func reason(_ source: SecretSource) async -> String? {
        do throws(DeliveryError) {
            _ = try await source.read()
            return nil
        } catch {
            #expect(error.isTransient)
            return error.reason
        }
    }

    @Test("the three forms decode, and paths start at the file's directory")
    func forms() {
        #expect(decode([("env", "CHAT")]).source?.place == .variable("CHAT"))
        #expect(decode([("file", "key")]).source?.place == .file("/etc/key"))
        #expect(decode([("file", "/run/key")]).source?.place == .file("/run/key"))
        #expect(decode([("credential", "chat")]).source?.place == .credential("chat"))
    }

    @Test(
        "what names no place is reported",
        arguments: [
            ([], "one of 'env', 'file' and 'credential'"),
            ([("env", "A"), ("file", "b")], "one of 'env', 'file' and 'credential'"),
            ([("evn", "A")], "did you mean 'env'?"), ([("env", "")], "the name of a variable"),
            ([("env", "A=B")], "the name of a variable"), ([("file", "dir/")], "the path of a file"),
            ([("credential", "../shadow")], "the name of a credential"),
            ([("credential", "..")], "the name of a credential"),
        ] as [([(String, String)], String)])
    func wrong(entries: [(String, String)], part: String) {
        let (source, messages) = decode(entries)
        #expect(source == nil)
        #expect(messages.count == 1 && messages[0].contains(part), "\(messages)")
    }

    @Test("a secret written out is refused, and not repeated in the message")
    func literal() {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let node = Node(.scalar(Self.canary))
        #expect(SecretSource(node, for: "secret", context: SinkContext(directory: "/"), diagnostics) == nil)
        let messages = diagnostics.diagnostics.map(\.message)
        #expect(messages.count == 1 && messages[0].contains("{ env: NAME }") && !messages[0].contains(Self.canary))
    }

    @Test("each place is read anew at each use, without the line break at the end")
    func read() async throws {
        let directory = try TemporaryDirectory()
        setenv("TMINUS_TEST_SECRET_PLACE", Self.canary, 1)
        #expect(try await SecretSource(.variable("TMINUS_TEST_SECRET_PLACE")).read().bytes == Array(Self.canary.utf8))
        let file = SecretSource(.file(directory.file("key")))
        for (text, expected) in [("one\n", "one"), ("two\r\n", "two"), ("three", "three"), ("a\nb\n\n", "a\nb\n")] {
            try directory.write("key", text)
            #expect(try await file.read().bytes == Array(expected.utf8))
        }
        let credential = SecretSource(.credential("key"))
        unsetenv("CREDENTIALS_DIRECTORY")
        #expect(await reason(credential)?.contains("systemd passed none on") == true)
        setenv("CREDENTIALS_DIRECTORY", directory.path, 1)
        defer { unsetenv("CREDENTIALS_DIRECTORY") }
        #expect(try await credential.read().bytes == Array("a\nb\n".utf8))
    }

    @Test("a place without a secret says which, and may have one later")
    func unreadable() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("empty", "\n")
        try directory.write("large", String(repeating: "x", count: SecretSource.limit + 1))
        try #require(mkfifo(directory.file("fifo"), 0o600) == 0)
        for (place, part) in [
            (.variable("TMINUS_TEST_UNSET"), "'TMINUS_TEST_UNSET' of the secret is not set"),
            (.file(directory.file("none")), "none' cannot be read: No such file"),
            (.file(directory.file("empty")), "empty' is empty"), (.file(directory.file("large")), "more than 64 KiB"),
            (.file(directory.path), "is not a regular file"), (.file(directory.file("fifo")), "is not a regular file"),
        ] as [(SecretSource.Place, String)] {
            let reason = await reason(SecretSource(place))
            #expect(reason?.contains(part) == true, "\(reason ?? "read")")
        }
    }

    @Test("a secret that is printed in any way shows nothing")
    func printed() {
        let secret = Secret(bytes: Array(Self.canary.utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])", "\(Optional(secret) as Any)"] {
            #expect(!text.contains("115") && !text.contains(Self.canary), "\(text)")
        }
    }
}
