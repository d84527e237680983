import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

/// Requests that followers leave for the leader.
@Suite(
    "PostgreSQL store: forwarded requests",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct ForwardingTests {
    private let request = ForwardedRequest(id: "one", text: "{\"path\":\"/items/täglich\u{1F600}\"}")

    /// The requests that the leader takes, however long this test has been waiting.
    private func look(
        _ leader: PostgresStore, of place: Place, knowing known: Set<String> = []
    ) async throws -> [ForwardedRequest] {
        try place.cluster.run(
            "UPDATE \(place.schema.quoted).forwarded_request SET forwarded = now() WHERE forwarded < now()")
        return try await ask(leader, knowing: known)
    }

    private func ask(_ leader: PostgresStore, knowing known: Set<String> = []) async throws -> [ForwardedRequest] {
        try await leader.look(after: 0, releasing: .nothing, knowing: known, owner: "leader", now: .fixture(200))
            .requests
    }

    @Test("the leader takes a request, learns of it until it knows it, and its answer comes back")
    func answered() async throws {
        let place = try await Place()
        let (leader, follower) = (try place.open("a"), try place.open("b", as: .follower))
        try await follower.forward(request)
        // Its first answer may have been lost.
        try await follower.forward(request)
        #expect(try await follower.state(ofForwarded: "one") == .waiting)
        #expect(try await look(leader, of: place) == [request])
        #expect(try await follower.state(ofForwarded: "one") == .taken)
        #expect(try await look(leader, of: place) == [request], "the answer of the first look may have been lost")
        #expect(try await look(leader, of: place, knowing: ["one"]) == [])
        #expect(try await follower.withdraw("one") == false, "it is being carried out")
        try await leader.recordAnswer("done", to: "one")
        #expect(try await follower.state(ofForwarded: "one") == .answered("done"))
        #expect(try await look(leader, of: place) == [])
        #expect(try await follower.withdraw("one") == false, "it was carried out a moment before it was given up")
        try await follower.deleteAnswered("one")
        #expect(try await follower.state(ofForwarded: "one") == .lost, "it is not there any more")
        try await follower.close()
        try await leader.close()
    }

    @Test(
        "a request that is older than its client waits is not taken, nor one that no client sends, nor any without a socket"
    )
    func untaken() async throws {
        let place = try await Place()
        let (leader, follower) = (try place.open("a"), try place.open("b", as: .follower))
        let large = ForwardedRequest(id: "large", text: String(repeating: "x", count: 1 << 20))
        for request in [request, large] { try await follower.forward(request) }
        let state = try await leader.look(
            after: 0, releasing: .nothing, knowing: nil, owner: "leader", now: .fixture(200))
        #expect(state.requests == [])
        #expect(try await follower.state(ofForwarded: "one") == .waiting)
        try place.cluster.run(
            "UPDATE \(place.schema.quoted).forwarded_request SET forwarded = forwarded - interval '9 seconds'")
        #expect(try await ask(leader) == [])
        #expect(try await follower.state(ofForwarded: "one") == .waiting)
        #expect(try await follower.withdraw("one"))
        try await follower.close()
        try await leader.close()
    }

    @Test("a request and its answer wait for nobody's turn")
    func turns() async throws {
        let place = try await Place()
        let (leader, follower) = (try place.open("a"), try place.open("b", as: .follower))
        let other = try place.cluster.connection()
        defer { other.finish() }
        try other.send("BEGIN", [])
        try other.send("SELECT 1 FROM \(place.schema.quoted).lease FOR UPDATE", [])
        _ = try other.answers()
        try await follower.forward(request)
        try place.cluster.run("UPDATE \(place.schema.quoted).forwarded_request SET taken = 1")
        try await leader.recordAnswer("done", to: "one")
        #expect(try await follower.state(ofForwarded: "one") == .answered("done"))
        try other.send("ROLLBACK", [])
        _ = try other.answers()
        try await follower.close()
        try await leader.close()
    }

    @Test("a request that nobody has taken is withdrawn, and never taken")
    func withdrawn() async throws {
        let place = try await Place()
        let (leader, follower) = (try place.open("a"), try place.open("b", as: .follower))
        try await follower.forward(request)
        #expect(try await follower.withdraw("one"))
        #expect(try await look(leader, of: place) == [])
        try await follower.close()
        try await leader.close()
    }

    @Test("what a leader had taken when it ended is lost: the next one leaves it alone, and takes what is new")
    func lost() async throws {
        let place = try await Place()
        let (first, follower) = (try place.open("a"), try place.open("b", as: .follower))
        try await follower.forward(request)
        #expect(try await look(first, of: place) == [request])
        try await first.close()
        #expect(try await follower.state(ofForwarded: "one") == .taken, "nobody leads yet")
        let second = try place.open("a")
        #expect(try await look(second, of: place) == [])
        #expect(try await follower.state(ofForwarded: "one") == .lost)
        try await second.recordAnswer("too late", to: "one")
        #expect(try await follower.state(ofForwarded: "one") == .lost, "it is the answer of another leader")
        let next = ForwardedRequest(id: "two", text: "")
        try await follower.forward(next)
        #expect(try await look(second, of: place) == [next])
        try await follower.close()
        try await second.close()
    }

    @Test("a request and an answer wake the other machine")
    func wakes() async throws {
        let place = try await Place()
        let (leader, follower) = (try place.open("a"), try place.open("b", as: .follower))
        // The leader tells others once it knows of them.
        _ = try await look(leader, of: place)
        let heard = Task {
            for await _ in leader.wakes where try await !look(leader, of: place).isEmpty { return }
        }
        try await follower.forward(request)
        try await Bounded.value("the wake of the leader") { try await heard.value }
        let answered = Task {
            for await _ in follower.wakes where try await follower.state(ofForwarded: "one") == .answered("") { return }
        }
        try await leader.recordAnswer("", to: "one")
        try await Bounded.value("the wake of the follower") { try await answered.value }
        try await follower.close()
        try await leader.close()
    }
}
