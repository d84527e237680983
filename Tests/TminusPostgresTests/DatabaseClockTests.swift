import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

/// When a store measures the clock of its database. The machine's clock is a manual one, of the year 1970.
@Suite(
    "PostgreSQL store: the clock of the database",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct DatabaseClockTests {
    private let machine = ManualClock(now: Timestamp(seconds: 1_000))
    private let ahead = Watched<[Duration]>([])
    private let clock: FleetClock

    init() { clock = FleetClock(on: machine) { [ahead] news in ahead.update { $0.append(news) } } }

    /// What the database's clock shows.
    private func there(_ place: Place) throws -> Timestamp {
        let connection = try place.cluster.connection()
        defer { connection.finish() }
        let text = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS bigint)"
        return Timestamp(nanoseconds: try #require(try Transaction(on: connection).number(text)))
    }

    /// Opens a store beside a leader, or as one.
    private func open(_ place: Place, _ role: PostgresStore.Role, lease: Duration) throws -> [PostgresStore] {
        let leader = role == .follower ? try place.open("leader") : nil
        return [leader, try place.open("here", as: role, lease: lease, clock: clock)].compactMap(\.self)
    }

    @Test("it is known when the store is open", arguments: [PostgresStore.Role.leader, .follower])
    func opening(role: PostgresStore.Role) async throws {
        let place = try await Place()
        let before = try there(place)
        let stores = try open(place, role, lease: .seconds(600))
        let now = clock.now
        let after = try there(place)
        #expect(now >= before.advanced(by: .milliseconds(-1)) && now <= after)
        #expect(ahead.value.count >= 3)
        // The server's time passes, and the machine's stands still, so the distance is that of the last answer.
        #expect(clock.machineAhead == now.duration(to: Timestamp(seconds: 1_000)))
        for store in stores.reversed() { try await store.close() }
    }

    @Test(
        "each renewal measures it; only what the database's clock does counts",
        arguments: [PostgresStore.Role.leader, .follower])
    func renewal(role: PostgresStore.Role) async throws {
        let place = try await Place()
        let stores = try open(place, role, lease: .seconds(3))
        machine.set(to: Timestamp(seconds: 50_000))
        let jumps = clock.reading.setBy
        // For the store that is as if the database's clock had been set back by an hour.
        machine.advance(by: .seconds(3_600))
        let count = ahead.value.count
        guard await ahead.wait(upTo: Bounded.limit, until: { $0.count >= count + 2 }) else {
            throw ConformanceFailure("no renewal: \(ahead.value.count - count)")
        }
        let jump = clock.reading.setBy - jumps
        #expect(jump < .seconds(-3_500) && jump > .seconds(-3_600), "\(jump)")
        let (now, after) = (clock.now, try there(place))
        #expect(now <= after)
        for store in stores.reversed() { try await store.close() }
    }
}
