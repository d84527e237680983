import Testing
import TminusControl
import TminusCore

/// What of a status needs a person, and what does not.
@Suite("What needs a person")
struct StatusAttentionTests {
    private func status(
        storeProblems: [String] = [], problems: [String] = [], generation: Int = 1,
        files: [StatusAnswer.File] = [], deliveries: StatusDeliveries? = StatusDeliveries(),
        unplaced: [String] = [], differentFollowers: [String] = []
    ) -> StatusAnswer {
        StatusAnswer(
            version: "1", processID: 7, now: "N", started: "S", config: "/c", store: "/s",
            storeProblems: storeProblems,
            live: LiveAnswer(generation: generation, hash: nil, definitions: 1, isInOrder: true), lastAttempt: nil,
            lastSuccess: nil, watching: .init(.events), zoneData: nil, viewers: 0,
            unplaced: unplaced, differentFollowers: differentFollowers, problems: problems, files: files,
            deliveries: deliveries)
    }

    private func deliveries(_ sinks: SinkStanding...) -> StatusDeliveries {
        StatusDeliveries(DeliveryStanding(sinks: sinks))
    }

    private func file(_ state: String, errors: Int = 1) -> StatusAnswer.File {
        StatusAnswer.File(
            path: "a.yaml", state: state, since: nil, message: errors > 0 ? "unknown key 'x'" : nil, errors: errors,
            place: errors > 0 ? .init(line: 3, column: 5) : nil, definitions: 1)
    }

    @Test("deliveries that wait, run or are retried need nobody, nor do files that are pending or ignored")
    func allWell() {
        let busy = SinkStanding(
            sink: SinkKey("chat"), waiting: 3, running: 1,
            undelivered: UndeliveredCount(retrying: 2, nextAttempt: Timestamp(seconds: 0)))
        let files = [file("ok", errors: 0), file("pending"), file("ignored")]
        #expect(status(files: files, deliveries: deliveries(busy)).attention == [])
    }

    @Test(
        "a sink that no machine may deliver to, and other files on a follower, need a person, and a reader is told the kind"
    )
    func fleet() {
        let status = status(unplaced: ["chat: waits"], differentFollowers: ["b, process 7"])
        #expect(status.attention.map(\.reason) == [.unplacedSink, .otherFiles])
        #expect(
            status.attention.map(\.message) == [
                "chat: waits",
                "b, process 7: has other definition files than the leader",
            ])
        #expect(
            status.forReaders.attention.map(\.message) == [
                "no machine has the labels that a sink asks for",
                "a machine that stands by has other definition files",
            ])
    }

    @Test("each sink with dead deliveries is reported, with the command that lists them")
    func dead() {
        let oldest = Timestamp(seconds: 1_780_000_000)
        let chat = SinkStanding(
            sink: SinkKey("chat"), undelivered: UndeliveredCount(dead: 3, oldestDead: oldest))
        let hook = SinkStanding(
            sink: SinkKey("exec:0d6d"), title: "exec 'hook' (a.yaml:3)",
            undelivered: UndeliveredCount(dead: 1, oldestDead: oldest))
        let attention = status(deliveries: deliveries(chat, hook)).attention
        #expect(attention.map(\.reason) == [.deadLetters, .deadLetters])
        #expect(
            attention.map(\.message) == [
                """
                chat: 3 dead; \
                see 'tminus deliveries --only dead --sink chat'
                """,
                """
                exec 'hook' (a.yaml:3): 1 dead; \
                see 'tminus deliveries --only dead --sink exec:0d6d'
                """,
            ])
    }

    @Test("deliveries to a sink that no file declares need a person, but not a sink without deliveries")
    func missingSink() {
        let waiting = SinkStanding(
            sink: SinkKey("chat"), isAwaited: true, waiting: 1,
            undelivered: UndeliveredCount(retrying: 1, nextAttempt: Timestamp(seconds: 0)))
        let attention = status(deliveries: deliveries(waiting)).attention
        #expect(attention.map(\.reason) == [.missingSink])
        #expect(attention[0].message == "chat: 2 deliveries wait for this sink, which no file declares any more")
        #expect(status(deliveries: deliveries(SinkStanding(sink: SinkKey("a"), isAwaited: true))).attention == [])
    }

    @Test(
        "a broken file needs a person, and the line says what of it is in force",
        arguments: [
            ("stale", "its last good content stays in force"), ("failed", "none of it is in force"),
            ("unreadable", "it cannot be read"), ("partial", "the rest of it is in force"),
            ("duplicate", "other files own its definitions"),
        ])
    func files(state: String, consequence: String) {
        let attention = status(files: [file(state, errors: 2)]).attention
        #expect(attention.map(\.reason) == [.file])
        #expect(attention.map(\.message) == ["a.yaml:3:5: unknown key 'x' (and 1 more); \(consequence)"])
    }

    @Test("a file says only once that it cannot be read")
    func unreadable() {
        var pipe = file("unreadable", errors: 1)
        pipe.message = "cannot be read: is a named pipe"
        #expect(status(files: [pipe]).attention.map(\.message) == ["a.yaml:3:5: cannot be read: is a named pipe"])
    }

    @Test("a store or a directory that cannot be used needs a person")
    func storeAndDirectory() {
        #expect(status(storeProblems: ["no room"]).attention.map(\.message) == ["no room"])
        #expect(status(deliveries: nil).attention.map(\.reason) == [.store])
        // The reason is known already.
        #expect(status(storeProblems: ["no room"], deliveries: nil).attention.count == 1)
        #expect(status(problems: ["cannot be read"], generation: 0).attention.map(\.message) == ["cannot be read"])
        #expect(status(generation: 0).attention.map(\.reason) == [.directory])
    }

    @Test("a reader learns which kinds of trouble there are, but no path, process or reason")
    func readers() throws {
        let dead = SinkStanding(sink: SinkKey("chat"), undelivered: UndeliveredCount(dead: 2))
        var whole = status(
            storeProblems: ["disk full"], problems: ["/c is gone"], files: [file("stale"), file("failed")],
            deliveries: deliveries(dead))
        whole.watching.message = "too many watches"
        let shown = whole.forReaders
        #expect(shown.attention.map(\.reason) == [.store, .directory, .file, .deadLetters])
        #expect(shown.deliveries?.dead == 2 && shown.live == whole.live && shown.watching.mode == .events)
        let text = String(decoding: try ControlJSON.encode(shown), as: UTF8.self)
        for secret in ["disk full", "/c", "/s", "a.yaml", "unknown key", "too many", "chat", "process-id"] {
            #expect(!text.contains(secret), "\(secret): \(text)")
        }
    }
}
