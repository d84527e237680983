import GRDB
import Testing
import TminusCore

@testable import TminusSQLite
@testable import TminusStorage

@Suite("SQLite store: cost")
struct SQLitePlanTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test(
        "the statements of every beat read from an index and sort nothing",
        arguments: [
            (SQLiteStatements.firstSink, "delivery_pending"), (SQLiteStatements.nextSink, "delivery_pending"),
            (DeliveryStatements.firstAttempt, "delivery_pending"), (DeliveryStatements.due, "delivery_pending"),
            (ReleaseStatements.expired.release, "delivery_open"),
            (FiringStatements.endedExpiry, "delivery_firing"), (ScheduleStatements.openExpiries, "delivery_firing"),
            (ScheduleStatements.hasActing, "schedule_acting"), (ScheduleStatements.openExpiries, "schedule_acting"),
            (FiringStatements.oldPage, "firing_created"), (FiringStatements.pruneOmissions, "omission_recorded"),
            (SinkStatements.prune, "delivery_open"), (SinkStatements.prune, "delivery_dead"),
            (DeliveryStatements.head, "delivery_open"), (DeliveryStatements.promote, "delivery_open"),
            (DeliveryStatements.promote, "delivery_queued"), (DeliveryStatements.hasQueued, "delivery_queued"),
            (DeliveryStatements.replaceable, "delivery_open"), (DeliveryStatements.replaced, "delivery_replaceable"),
            (ReleaseStatements.ofOthers.record, "delivery_open"),
            (ReleaseStatements.ofOthers.withdrawn, "delivery_open"),
            (DeliveryStatements.hasOpen, "delivery_open"), (DeliveryStatements.allOpen, "delivery_open"),
            (DeliveryStatements.openOfDefinition, "delivery_open"), (RecordStatements.open, "delivery_open"),
            (RecordStatements.closed, "delivery_closed"), (RecordStatements.closedNumber, "delivery_closed"),
            (RecordStatements.failed, "delivery_closed"), (RecordStatements.failedOfID, "delivery_closed"),
            (RecordStatements.deleteOfFiring, "delivery_firing"), (OutcomeStatements.firings, "firing_definition"),
            (OutcomeStatements.recentFirings, "firing_created"),
            (OutcomeStatements.recentOmissions, "omission_recorded"), (ControlStatements.newest, "control_at"),
            (FiringStatements.ofOccurrences, "firing_definition"), (FiringStatements.surplusFrom, "firing_definition"),
            (FiringStatements.surplusPage, "firing_definition"), (FiringStatements.nextDefinition, "firing_definition"),
        ])
    func plan(sql: String, index: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let plan = try await store.perform { db in
            // Parameters are plain or have numbers.
            let count = (1...9).last { sql.contains("?\($0)") } ?? sql.count { $0 == "?" }
            let arguments = StatementArguments((0..<count).map { _ in 0 })
            return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                .map { $0["detail"] as String }
        }
        let text = plan.joined(separator: "\n")
        #expect(text.contains(index), "\(text)")
        #expect(!text.contains("TEMP B-TREE"), "\(text)")
        let scans = plan.filter { $0.hasPrefix("SCAN ") && !$0.contains(" USING ") }
        #expect(scans.allSatisfy { ["SCAN s", "SCAN sink"].contains($0) }, "only small tables are read whole: \(text)")
    }

    @Test(
        "undelivered deliveries are counted from an index alone, without reading a row of the outbox",
        arguments: [
            (StandingStatements.pending, "delivery_pending"), (StandingStatements.queued, "delivery_queued"),
            (StandingStatements.claimed, "delivery_open"), (StandingStatements.retrying, "delivery_retrying"),
            (StandingStatements.dead, "delivery_dead"), (StandingStatements.retryingOfOne, "delivery_retrying"),
            (StandingStatements.deadOfOne, "delivery_dead"),
        ])
    func counts(sql: String, index: String) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let arguments: StatementArguments = sql.contains("?1") ? ["tea"] : []
        let (plan, program) = try await store.perform { db in
            (
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                    .map { $0["detail"] as String },
                try Row.fetchAll(db, sql: "EXPLAIN " + sql, arguments: arguments).map {
                    ($0["opcode"] as String, $0["p1"] as Int, $0["p3"] as Int)
                }
            )
        }
        #expect(plan.contains { $0.contains("INDEX \(index)") }, "\(plan)")
        let isSorted = plan.contains { $0.contains("TEMP B-TREE") }
        #expect(!isSorted || sql == StandingStatements.claimed, "only what is running, which is little: \(plan)")
        // sqlite.org/opcode.html#DeferredSeek: a row of the table is read only when one of its columns is.
        let tables = program.filter { $0.0 == "DeferredSeek" }.map(\.2)
        #expect(!program.contains { $0.0 == "Column" && tables.contains($0.1) }, "\(program)")
    }

    @Test("releasing claims reads only claimed rows")
    func expiredClaims() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let program = try await store.perform { db in
            try Row.fetchAll(db, sql: "EXPLAIN " + ReleaseStatements.expired.release, arguments: ["me", 0])
                .map { ($0["opcode"] as String, $0["p1"] as Int, $0["p3"] as Int) }
        }
        // sqlite.org/opcode.html#DeferredSeek: from there on the row is read when the first of its columns is asked for.
        let seek = try #require(program.firstIndex { $0.0 == "DeferredSeek" })
        let table = program[seek].2
        let read = try #require(program[seek...].firstIndex { $0.0 == "Column" && $0.1 == table })
        let before = program[seek..<read].map(\.0)
        #expect(before.contains("IsNull") && before.contains("Gt"), "\(before)")
    }

    @Test("a delivery is found by its id among many, a page at a time, whether it is over or not")
    func search() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write(try (0..<1_200).map { try .sample("t\($0)") })
        let all = try await store.deliveries(DeliveryFilter(limit: 1_200))
        let dead = try #require(try await store.claim(.sample(limit: 1)).first)
        try await store.settle([dead], .dead(reason: "no"))
        let wanted = [all[0].id, all[1_100].id, dead.id, .unknown]
        let found = try await store.deliveries(DeliveryFilter(ids: wanted))
        #expect(Set(found.map(\.id)) == Set(wanted.dropLast()))
        #expect(try await store.deliveries(DeliveryFilter(ids: [dead.id])).map(\.state) == [.dead])
        // With no time left each step is one page.
        var search = DeliverySearch([all[1_100].id])
        for isMore in [true, false] {
            let current = search
            let (next, more) = try await store.read { transaction in
                var next = current
                let more = try next.step(transaction, PruneBudget(.zero))
                return (next, more)
            }
            search = next
            #expect(more == isMore)
            #expect(search.numbers.isEmpty == isMore)
        }
    }

    @Test("the schema refuses a claim without an end, a settled delivery with a next attempt, and unknown states")
    func constraints() async throws {
        let store = try SQLiteStore(path: scratch.path)
        try await store.write([.sample("tea")])
        for change in [
            "state = 'claimed'", "state = 'delivered', settled = 1", "state = 'lost'", "claim_token = 'x'",
            "next_attempt = NULL", "overlap = 'x'", "settled = 1",
            "state = 'expired', settled = 1, next_attempt = NULL",
            "state = 'dead', settled = 1, next_attempt = NULL", "firing = 99", "due = 'soon'", "withdrawn = 'muted'",
        ] {
            await #expect(throws: StoreError.self, "\(change)") {
                try await store.perform { try $0.execute(sql: "UPDATE delivery SET \(change)") }
            }
        }
    }

    @Test("omissions are recorded once, and pruned")
    func omissions() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let omission = Omission(
            definition: try #require(DefinitionID("tea")), occurrence: .at(0), action: .expiry, due: .at(0),
            reason: .superseded, count: 3)
        let count = { try await store.perform { try Int.fetchOne($0, sql: "SELECT sum(count) FROM omission") } }
        for _ in 0..<2 { _ = try await store.commit(Commit(omissions: [omission]), now: .at(0)) }
        #expect(try await count() == 3)
        try await store.prune(.standard, now: .at(40 * 86_400))
        #expect(try await count() == nil)
    }

    @Test("a pruning gives others their turn after each page, and leaves none of it behind", arguments: [false, true])
    func prunePages(ofOne: Bool) async throws {
        let store = try SQLiteStore(path: scratch.path)
        let count = 3 * PruneBudget.page
        let firings = try (0..<count).map { try Firing.sample(ofOne ? "tea" : "tea\($0)", at: Int64($0)) }
        try await store.write(firings)
        let settled = Timestamp.at(0).nanoseconds
        try await store.perform {
            try $0.execute(sql: "UPDATE delivery SET state = 'delivered', settled = \(settled), next_attempt = NULL")
        }
        let left = { try await store.perform { try Int.fetchOne($0, sql: "SELECT count(*) FROM firing") } }
        // No time at all: then each transaction is one page.
        let none = PruneBudget(.zero)
        let isMore = try await store.write(as: .ordered) { transaction in
            if ofOne {
                var cursor = SurplusCursor()
                return try cursor.step(transaction, keeping: 5, none)
            }
            var cursor = PruneCursor()
            return try cursor.step(transaction, before: .at(20_000), none)
        }
        #expect(isMore)
        #expect(try await left() == count - PruneBudget.page)
        let retention = Retention(
            removedSchedules: .zero, history: .seconds(ofOne ? 86_400 : 60), firingsOfOne: ofOne ? 5 : .max)
        try await store.prune(retention, now: .at(20_000), budget: .zero)
        #expect(try await left() == (ofOne ? 5 : 0))
    }

    @Test("a sink with 20,000 waiting deliveries and no room costs a claim nothing")
    func crowdedSink() async throws {
        let store = try SQLiteStore(path: scratch.path)
        let crowd = try (0..<20_000).map { try Firing.sample("t\($0)", to: ["slow"]) }
        try await store.write(crowd + [try .sample("quick", to: ["quick"])])
        let request = ClaimRequest(
            owner: "me", limit: 10, room: [SinkKey("slow"): 0], otherRoom: 10, until: .at(60))
        let claimed = try await store.claim(request)
        #expect(claimed.map(\.definition.rawValue) == ["quick"])
    }
}
