import Foundation
import Testing

/// What clients of a running daemon do with its files.
@Suite("Definition files over the control socket")
struct FileRouteTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "# mine\ntimers:\n  # green\n  tea: { duration: 1h }\n  egg: { duration: 2h }\n")
    }

    private func inForce(_ generation: Int, _ daemon: RunningDaemon) async throws {
        try await daemon.errors.first("generation \(generation)") {
            $0.contains("definitions in force") && $0.contains("generation=\(generation)")
        }
    }

    @Test("a file that is saved is in force, a definition that is removed is not any more, and the rest stays as it is")
    func life() async throws {
        let daemon = try RunningDaemon(in: scratch)
        try await inForce(1, daemon)
        try await scratch.answers()
        let list = try await SocketAnswer.send("GET", "/files", to: scratch)
        let files = try #require(list.json["files"] as? [[String: Any]])
        #expect(list.json["directories"] as? [String] == [""] && list.json["writable"] as? Bool == true, "\(list)")
        #expect(files.count == 1 && files[0]["path"] as? String == "a.yaml" && files[0]["state"] as? String == "ok")
        #expect(files[0]["file"] as? String == "\(scratch.config)/a.yaml")

        let made = try await SocketAnswer.send(
            "PUT", "/file?path=b.yaml", to: scratch, ["If-None-Match": "*"],
            body: "events: { party: { at: '2099-12-01T10:00:00Z' } }\n")
        #expect(made.status == 201 && made.json["added"] as? [String] == ["party"], "\(made)")
        try await inForce(2, daemon)
        #expect(try await SocketAnswer.send("GET", "/items/party", to: scratch).status == 200)

        let added = try await SocketAnswer.send(
            "POST", "/definitions", to: scratch,
            body: #"{"kind": "timer", "file": "b.yaml", "definition": {"name": "Rice", "duration": "12m"}}"#)
        #expect(added.status == 201 && added.json["id"] as? String == "rice", "\(added)")
        try await inForce(3, daemon)

        #expect(try await SocketAnswer.send("DELETE", "/items/tea", to: scratch).status == 204)
        try await inForce(4, daemon)
        #expect(scratch.lines("a.yaml") == ["# mine", "timers:", "  egg: { duration: 2h }"])
        let gone = try await SocketAnswer.send("GET", "/items/tea", to: scratch)
        #expect(gone.status == 404, "\(gone)")
        #expect(try await SocketAnswer.send("DELETE", "/items/tea", to: scratch).status == 404)
        try await daemon.stop()
        let changes = daemon.errors.texts.filter { $0.contains("definition file changed") }
        #expect(changes.count == 3 && changes.allSatisfy { $0.contains("by=") }, "\(changes)")
    }

    @Test("a definition that was there before is shown to go on, and nobody takes the id of an ad-hoc timer")
    func resumed() async throws {
        let daemon = try RunningDaemon(in: scratch)
        try await inForce(1, daemon)
        try await scratch.answers()
        try scratch.save("a.yaml", "timers: { egg: { duration: 2h } }\n")
        try await inForce(2, daemon)
        let tried = try await SocketAnswer.send(
            "PUT", "/file?path=a.yaml&dry-run=true", to: scratch,
            body: "timers: { tea: { duration: 1h }, egg: { duration: 3h } }\n")
        let diff = try #require(tried.json["diff"] as? [String: Any])
        let added = try #require(diff["added"] as? [[String: Any]])
        #expect(added.first?["id"] as? String == "tea" && added.first?["resumed"] as? Bool == true, "\(tried)")
        #expect((diff["changed"] as? [[String: Any]])?.first?["id"] as? String == "egg")

        let made = try await SocketAnswer.send(
            "POST", "/timers", to: scratch, body: #"{"id": "mine", "duration": "1h"}"#)
        #expect(made.status == 201)
        let refused = try await SocketAnswer.send(
            "POST", "/definitions", to: scratch,
            body: #"{"kind": "timer", "id": "mine", "definition": {"duration": "12m"}}"#)
        #expect(refused.status == 409 && refused.body.contains("without a file"), "\(refused)")
        try await daemon.stop()
    }
}
