import Foundation
import Testing
import TminusControl
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Definition files over HTTP")
struct FileRouteTests {
    private let harness: ControlHarness
    private let text = "# mine\ntimers:\n  tea: { duration: 3m } # green\n"

    init() throws {
        harness = try ControlHarness()
        try harness.save("a.yaml", text)
    }

    @Test("a text can be read, replaced by who has read it, and by nobody else")
    func replaces() async throws {
        try await harness.run { (_: ControlClient) async throws in
            let read = try await harness.send("GET", "/file?path=a.yaml")
            #expect(read.status == 200 && read.body == text)
            #expect(read.headers["content-type"] == "text/plain; charset=utf-8")
            let tag = try #require(read.headers["etag"])
            let mine = text.replacing("3m", with: "4m")
            let saved = try await harness.send("PUT", "/file?path=a.yaml", ["if-match": tag], body: mine)
            #expect(saved.status == 200, "\(saved)")
            #expect(saved.json["written"] as? Bool == true && saved.json["changed"] as? [String] == ["tea"])
            #expect(saved.json["etag"] as? String == saved.headers["etag"] && saved.headers["etag"] != tag)
            #expect(harness.text("a.yaml") == mine)
            let lost = try await harness.send("PUT", "/file?path=a.yaml", ["if-match": tag], body: text)
            #expect(lost.status == 412 && lost.headers["etag"] == saved.headers["etag"], "\(lost)")
            #expect(lost.json["text"] as? String == mine && lost.json["etag"] as? String == lost.headers["etag"])
            #expect(lost.json["type"] as? String == "urn:tminus:problem:changed")
            #expect(harness.text("a.yaml") == mine)
            #expect(harness.log.lines.contains { $0.metadata["file"] == "a.yaml" && $0.metadata["by"] != nil })
        }
    }

    @Test("who says nothing of what is there, or what makes no sense, replaces nothing")
    func conditions() async throws {
        try await harness.run { (_: ControlClient) async throws in
            let cases: [([String: String], Int)] = [
                ([:], 428), (["if-match": "*"], 428), (["if-match": "abc"], 400), (["if-match": ""], 400),
                (["if-none-match": "\"abc\""], 400), (["if-match": "\"abc\"", "if-none-match": "*"], 400),
                (["if-match": "\"abc\""], 412), (["if-none-match": "*"], 412),
            ]
            for (headers, status) in cases {
                let answer = try await harness.send("PUT", "/file?path=a.yaml", headers, body: "timers: {}\n")
                #expect(answer.status == status, "\(headers): \(answer)")
            }
            #expect(harness.text("a.yaml") == text)
        }
    }

    @Test("a new file is made where there are files, and not over another")
    func creates() async throws {
        try harness.save("team/b.yaml", "timers: { egg: { duration: 5m } }\n")
        try await harness.run { (_: ControlClient) async throws in
            let new = "timers: { rice: { duration: 12m } }\n"
            for path in ["c.yaml", "team/d.json"] {
                let body = path.hasSuffix("json") ? #"{"timers": {"soup": {"duration": "9m"}}}"# : new
                let made = try await harness.send("PUT", "/file?path=\(path)", ["if-none-match": "*"], body: body)
                #expect(made.status == 201, "\(made)")
                #expect(harness.text(path) == body)
            }
            let again = try await harness.send("PUT", "/file?path=c.yaml", ["if-none-match": "*"], body: text)
            #expect(again.status == 412 && again.json["text"] as? String == new)
            let gone = try await harness.send("PUT", "/file?path=e.yaml", ["if-match": "\"abc\""], body: new)
            #expect(gone.status == 404 && harness.text("e.yaml") == nil)
        }
    }

    @Test("a dry run says what the text would change, and writes nothing")
    func dryRun() async throws {
        try harness.save("b.yaml", "events: { party: { at: '2099-12-01T10:00:00Z', remind: [1 hour] } }\n")
        try await harness.run { (_: ControlClient) async throws in
            let new = "events: { party: { at: '2099-12-01T11:00:00Z', remind: [1 hour] }, rest: { at: 2099-12-02 } }\n"
            let tried = try await harness.send("PUT", "/file?path=b.yaml&dry-run=true", body: new)
            #expect(tried.status == 200, "\(tried)")
            #expect(tried.json["written"] as? Bool == false)
            #expect(tried.json["added"] as? [String] == ["rest"] && tried.json["changed"] as? [String] == ["party"])
            let diff = try #require(tried.json["diff"] as? [String: Any])
            let changed = try #require(diff["changed"] as? [[String: Any]])
            let firings = try #require(changed.first?["firings"] as? [[String: Any]])
            #expect(firings.map { $0["change"] as? String } == ["moved", "moved"])
            #expect(changed.first?["file"] as? String == "b.yaml")
            let read = try await harness.send("GET", "/file?path=b.yaml")
            #expect(read.body != new && tried.headers["etag"] == read.headers["etag"])
            let stale = try await harness.send(
                "PUT", "/file?path=b.yaml&dry-run=true", ["if-match": "\"abc\""], body: new)
            #expect(stale.status == 412)
            let fresh = try await harness.send("PUT", "/file?path=c.yaml&dry-run=true", body: "timers: {}\n")
            #expect(fresh.status == 200 && fresh.headers["etag"] == nil && harness.text("c.yaml") == nil, "\(fresh)")
        }
    }

    @Test("a text with errors is refused with their places, and nothing is written", arguments: [true, false])
    func errors(isTrial: Bool) async throws {
        try await harness.run { (_: ControlClient) async throws in
            let tag = try #require(try await harness.send("GET", "/file?path=a.yaml").headers["etag"])
            let answer = try await harness.send(
                "PUT", "/file?path=a.yaml&dry-run=\(isTrial)", ["if-match": tag],
                body: "timers:\n  tea: { duration: 3m, remnd: 1m }\n")
            #expect(answer.status == 422, "\(answer)")
            let problems = try #require(answer.json["diagnostics"] as? [[String: Any]])
            let error = try #require(problems.first)
            #expect(error["severity"] as? String == "error" && error["file"] as? String == "a.yaml")
            #expect(error["line"] as? Int == 2 && error["column"] as? Int == 24 && error["length"] as? Int == 5)
            #expect((error["message"] as? String)?.contains("'remind'") == true)
            #expect(answer.json["detail"] as? String == "nothing was written: \(error["message"] as? String ?? "-")")
            #expect(harness.text("a.yaml") == text)
        }
    }

    @Test("a text that takes an id of another file is refused")
    func duplicates() async throws {
        try await harness.run { (_: ControlClient) async throws in
            let answer = try await harness.send(
                "PUT", "/file?path=b.yaml", ["if-none-match": "*"], body: "timers: { tea: { duration: 9m } }\n")
            #expect(answer.status == 422 && harness.text("b.yaml") == nil, "\(answer)")
            #expect(answer.messages.contains { $0.contains("'tea'") })
        }
    }

    @Test("a text may be as large as a definition file, and no larger")
    func sizes() async throws {
        try await harness.run { (_: ControlClient) async throws in
            let large = text + String(repeating: "# \(String(repeating: "x", count: 97))\n", count: 2_000)
            let made = try await harness.send(
                "PUT", "/file?path=b.yaml&dry-run=true", body: large.replacing("tea", with: "b"))
            #expect(made.status == 200, "\(made)")
            let huge = String(repeating: large, count: 6)
            let refused = try await harness.send("PUT", "/file?path=b.yaml&dry-run=true", body: huge)
            #expect(refused.status == 413, "\(refused)")
            // Other routes keep their limit.
            let other = try await harness.send("POST", "/timers", body: large)
            #expect(other.status == 413, "\(other)")
        }
    }

    @Test("a definition is added to a file, with what was understood, and its id only once")
    func adds() async throws {
        try await harness.run { (_: ControlClient) async throws in
            let body = #"""
                {"kind": "event", "file": "a.yaml",
                 "definition": {"name": "Product launch", "at": "2099-12-01T09:00:00Z", "remind": ["1 day"], "color": null}}
                """#
            let tried = try await harness.send("POST", "/definitions?dry-run=true", body: body)
            #expect(tried.status == 200 && harness.text("a.yaml") == text, "\(tried)")
            let added = try await harness.send("POST", "/definitions", body: body)
            #expect(added.status == 201, "\(added)")
            #expect(added.json["id"] as? String == "product-launch" && added.json["file"] as? String == "a.yaml")
            #expect(added.json["due"] as? String == "2099-12-01T09:00:00.000Z" && added.json["understood"] != nil)
            let written = try #require(harness.text("a.yaml"))
            #expect(written.hasPrefix(text), "\(written)")
            #expect(written.contains("name: Product launch") && !written.contains("color"), "\(written)")
            let again = try await harness.send("POST", "/definitions", body: body)
            #expect(again.status == 409 && (again.json["detail"] as? String)?.contains("a.yaml:") == true, "\(again)")
        }
    }

    @Test("a definition with errors, for a path outside, or of a strange form is not added")
    func refusedDefinitions() async throws {
        try await harness.run { (_: ControlClient) async throws in
            let cases = [
                (#"{"kind": "timer", "id": "x", "definition": {"duration": "soon"}}"#, 422),
                (#"{"kind": "timer", "id": "x", "definition": {"duraton": "5m"}}"#, 422),
                (#"{"kind": "alarm", "id": "x", "definition": {}}"#, 400),
                (#"{"kind": "timer", "id": "a b", "definition": {"duration": "5m"}}"#, 400),
                (#"{"kind": "timer", "id": "x", "definition": []}"#, 400),
                (#"{"kind": "timer", "id": "x"}"#, 400), ("[]", 400), ("", 400), ("{", 400),
                (#"{"kind": "timer", "id": "x", "extra": 1, "definition": {"duration": "5m"}}"#, 400),
                (#"{"kind": "timer", "id": "x", "file": "../x.yaml", "definition": {"duration": "5m"}}"#, 400),
                (#"{"kind": "timer", "id": "x", "file": "x.txt", "definition": {"duration": "5m"}}"#, 400),
            ]
            for (body, status) in cases {
                let answer = try await harness.send("POST", "/definitions", body: body)
                #expect(answer.status == status, "\(body): \(answer)")
            }
            #expect(harness.text("a.yaml") == text)
        }
    }
}
