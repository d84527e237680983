import Foundation
import Glibc
import TestServer
import Testing
import TminusCore
import TminusDefinitions
import TminusSinks
import TminusTestKit

/// A secret in every place that may hold one, and everything that webhooks emit searched for it.
@Suite("Secrecy of webhooks")
struct SecrecyTests {
    private static let canary = "canary-5f2d91"

    /// Every key with a secret; `url` is where it goes.
    private func yaml(_ url: String, more: String = "") -> String {
        """
        webhook: \(url)
        headers:
          Authorization: { file: token }
          X-Env: { env: TMINUS_TEST_WEB_CANARY }
          X-Api-Key: \(Self.canary)
          X-Auth-Token: "{{id}} canary-of-a-template"
        secret: [{ file: token }, { env: TMINUS_TEST_WEB_CANARY }]
        timeout: 500ms
        \(more)
        """
    }

    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try directory.write("token", Self.canary)
        setenv("TMINUS_TEST_WEB_CANARY", Self.canary, 1)
        return directory
    }

    @Test(
        "no error, report or description has a secret",
        arguments: [
            "/echo", "/status/500", "/status/410", "/status/301", "/redirect-loop", "/hang", "/close", "/reset",
            "/garbage",
            "/giant-header", "/redirect?status=307&to=http://127.0.0.1:1/",
        ])
    func attempts(path: String) async throws {
        let server = try await TestServer.started()
        let directory = try directory()
        let separator = path.contains("?") ? "&" : "?"
        let address = server.url("\(path)\(separator)token=\(Self.canary)")
            .replacing("http://", with: "http://user:\(Self.canary)@")
        try directory.write("url", address)
        for place in [address, "{ file: url }"] {
            for more in ["", "redirects: follow"] {
                let sink = try SinkRegistry.soundSink(yaml(place, more: more), in: directory.path)
                var said = ""
                do {
                    said = "\(try await sink.deliver(Deliveries.one()))"
                } catch {
                    dump(error, to: &said)
                }
                await sink.shutdown()
                #expect(!said.isEmpty && !said.contains("canary-"), "\(said)")
            }
        }
    }

    @Test(
        "what a check prints has no secret, also of options that are wrong",
        arguments: [
            "secret: \(canary)", "headers: { A: \"\(canary)\\n\" }", "headers: { webhook-signature: \(canary) }",
            "secret: [\(canary)]",
            "secret: { env: A, value: \(canary) }",
        ])
    func check(option: String) throws {
        var files = [
            "webhook: http://h/\n\(option)",
            "webhook: http://h/?\(Self.canary)\nheaders: { Authorization: \(Self.canary), X Y: 1 }",
        ]
        for url in [
            "ftp://h/\(Self.canary)", "http://u:\(Self.canary)@/", "http://h:0/\(Self.canary)", "//h/\(Self.canary)",
        ] {
            files.append("webhook: \(url)\ntimeuot: 1s")
            files.append("{ webhook: \"\(url)\", timeuot: 1s }")
        }
        for file in files {
            let read = DocumentReader.read(Array(file.utf8), path: "test.yaml")
            let root = try #require(read.root)
            let diagnostics = DiagnosticBag(file: "test.yaml", text: file)
            _ = SinkRegistry(StandardSinks.kinds).make(
                SinkSpec(name: nil, kind: "webhook", options: root, directory: "/"), root: "/", reporting: diagnostics)
            let said = DiagnosticText.render(diagnostics.diagnostics) + DiagnosticFormats.json(diagnostics.diagnostics)
            #expect(diagnostics.hasErrors && !said.contains(Self.canary), "\(said)")
        }
    }
}
