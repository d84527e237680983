import Testing
import TminusCore
import TminusTestKit

@testable import TminusControl

@Suite struct ItemTests {
    @Test(arguments: [(Duration.seconds(30), 0.5), (.seconds(-1), 0), (.seconds(90), 1)])
    func fractionIsBetweenZeroAndOne(remaining: Duration, fraction: Double) {
        let item = Item(
            asOf: Timestamp(seconds: 0), id: "tea", kind: .timer, name: "Tea", state: .running, remaining: remaining,
            total: .seconds(60))
        #expect(item.fraction == fraction)
    }

    @Test func jsonHasTheShareAndTheWordsOfTheTimeLeft() {
        let item = Item(
            asOf: at(0), id: "tea", kind: .timer, name: "Tea", state: .running, remaining: .seconds(5_400),
            total: .seconds(7_200))
        let json = String(decoding: item.json, as: UTF8.self)
        #expect(json.contains(#""remaining":{"seconds":5400,"text":"1.5 hours"},"#), "\(json)")
        #expect(json.contains(#""fraction":0.75,"#), "\(json)")
    }

    @Test func jsonRoundTrips() throws {
        let origin = Overrides.Origin(by: "anna", at: at(1), note: "\"night\"\n\u{1F634}")
        let full = Item(
            asOf: at(5.25), id: "tea", kind: .stopwatch, name: "T\u{e9}a \\ \u{7}", description: "a\tb",
            labels: ["b": "2", "a": "1"], color: "#ff8800", state: .running, due: at(65.000000001),
            remaining: .nanoseconds(-59_750_000_001), elapsed: .seconds(1), total: .seconds(60),
            laps: Item.laps(endingAt: [.seconds(3), .seconds(5), .milliseconds(9_500)]),
            nextReminder: Item.NextReminder(
                due: at(35), lead: "30 seconds before", length: .seconds(30), silence: .skipped),
            overrides: Overrides(
                mute: Overrides.Mute(until: at(9), origin: origin),
                skip: Overrides.Skip(occurrence: at(65), origin: Overrides.Origin(by: "b", at: at(2))),
                snooze: Overrides.Snooze(occurrence: at(65), until: at(70), origin: origin)),
            undelivered: UndeliveredCount(retrying: 2, nextAttempt: at(7), dead: 1, oldestDead: at(3)),
            lastOutcome: Item.LastOutcome(
                due: at(4), action: "expiry", end: "failed", reason: "sink-failed", message: "\"no\""),
            timezone: "Europe/Berlin", file: "config/a.yaml", line: 7)
        let bare = Item(
            asOf: at(0), id: "x", kind: .event, name: "x", state: .expired,
            nextReminder: Item.NextReminder(due: at(1), lead: "1 day before"), undelivered: UndeliveredCount(dead: 1),
            lastOutcome: Item.LastOutcome(due: at(0), action: "before:P1D", end: "open"))
        #expect(try ItemList(json: Item.json([full, bare])) == ItemList(items: [full, bare]))
        #expect(try ItemList(json: Item.json([Item]())) == ItemList())
        #expect(try Item(json: full.json) == full)
    }

    @Test func onlyTheColumnsOfAListAreNull() throws {
        let text = String(decoding: item("a").json, as: UTF8.self)
        #expect(
            text == """
                {"id":"a","kind":"event","name":"a","labels":{},"state":"idle","due":null,"remaining":null,\
                "elapsed":null,"fraction":null,"next-reminder":null,"laps":null,"timezone":"UTC","color":null,\
                "file":null,"line":null,"as-of":"2026-05-28T20:26:40.000Z"}
                """)
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func chunksEqualTheWholeArray(count: Int) {
        let items = (0..<count).map {
            Item(asOf: at(Double($0)), id: "t\($0)", kind: .timer, name: "t\($0)", state: .running)
        }
        #expect(Array(Item.jsonPieces(items).joined()) == Item.json(items))
    }

    @Test(arguments: [
        ("2026-12-01T09:00:00.000Z", 1_796_115_600_000_000_000),
        ("2026-12-01T09:00:00.000000001Z", 1_796_115_600_000_000_001),
        ("2026-12-01T10:00:00+01:00", 1_796_115_600_000_000_000), ("2026-12-01T09:00:00Z", 1_796_115_600_000_000_000),
        ("1969-12-31T23:59:59.999Z", -1_000_000), ("2262-04-11T23:47:16.854775807Z", .max),
        ("2262-11-23T00:00:00.000Z", .max), ("1677-09-21T00:12:43.145224192Z", .min),
        ("2026-12-01T09:00:00.25Z", 1_796_115_600_250_000_000),
    ])
    func everyFormOfAnInstantIsRead(text: String, nanoseconds: Int64) throws {
        let item = try Item(json: Array(#"{"id":"a","due":"\#(text)"}"#.utf8))
        #expect(item.due == Timestamp(nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "2026-02-30T09:00:00.000Z", "2026-12-01T24:00:00.000Z", "2026-12-01T09:00:00.000", "2026-12-01 09:0a:00.000Z",
    ])
    func invalidInstantsAreRefused(text: String) {
        #expect(throws: JSONScanner.Mismatch.self) { try Item(json: Array(#"{"id":"a","due":"\#(text)"}"#.utf8)) }
    }

    @Test func unknownMembersAreSkipped() throws {
        let text =
            #" {"id": "a", "kind":"event", "new": {"a": [1, "]\"}\\", null, true]}, "state":"upcoming", "name":"\u00e9\ud83d\ude00"} "#
        let item = try Item(json: Array(text.utf8))
        #expect(item.name == "\u{e9}\u{1F600}")
        #expect(item.state == .upcoming)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"id":1}"#, #"{"id":"a","state":"odd"}"#, #"{"id":"a"} x"#, #"{"id":"a"#])
    func invalidItemsAreRefused(text: String) {
        #expect(throws: JSONScanner.Mismatch.self) { try Item(json: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("9223372036.854775807", Int64.max), ("-9223372036.854775808", -.max), ("99999999999999999999999", .max),
        ("-99999999999999999999999.5", -.max), ("9999999999.999999999", .max), ("0.000000001", 1),
        ("1e300", 1_000_000_000),
    ])
    func secondsSaturate(text: String, nanoseconds: Int64) throws {
        var scanner = JSONScanner(Array(text.utf8))
        #expect(try scanner.seconds() == .nanoseconds(nanoseconds))
    }

    @Test func deepNestingIsRefused() {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(throws: JSONScanner.Mismatch.self) { try Item(json: Array(#"{"id":"a","new":\#(deep)"#.utf8)) }
    }

    private func item(_ id: String) -> Item { Item(asOf: at(0), id: id, kind: .event, name: id, state: .idle) }

    @Test func anItemThatCannotBeReadHidesNoOther() throws {
        let bad = #"{"new":{"id":["x"]},"id":"e","due":"3000-01-01T00:00:00Z","state":"odd"}"#
        let (first, last) = (item("a"), item("z"))
        let (start, end) = (String(decoding: first.json, as: UTF8.self), String(decoding: last.json, as: UTF8.self))
        let parts = [start, bad, "[]", end]
        #expect(throws: JSONScanner.Mismatch.self) {
            try ItemList(json: Array("[\(parts.joined(separator: ","))]".utf8))
        }
        let some = parts.filter { $0 != "[]" } + [#"{"id":7}"#]
        let list = try ItemList(json: Array("[\(some.joined(separator: ","))]".utf8))
        #expect(list.items == [first, last])
        #expect(list.unreadable.map(\.id) == ["e", nil])
        #expect(list.unreadable[0].text.hasPrefix("e cannot be shown: expected an instant in RFC 3339 at byte "))
        #expect(list.unreadable[1].text.hasPrefix("an item without an id cannot be shown: expected a string at byte "))
    }

    @Test func anEventOfAnItemThatCannotBeReadNamesIt() throws {
        var reader = EventReader()
        reader.add(Array("id: r-1\nevent: item\ndata: {\"id\":\"e\",\"due\":\"soon\"}\n\n".utf8))
        guard case (_, .unreadable(let item))? = try reader.next() else {
            Issue.record("another event")
            return
        }
        #expect(item.id == "e")
    }

    @Test func theFastestAndTheSlowestLapAreMarkedFromTwoOn() {
        func marks(_ totals: [Double]) -> [Item.Lap.Mark?] {
            Item.laps(endingAt: totals.map { .seconds($0) }).map(\.mark)
        }
        #expect(marks([]) == [])
        #expect(marks([3]) == [nil])
        #expect(marks([3, 6]) == [nil, nil])
        #expect(marks([3, 5]) == [.fastest, .slowest])
        #expect(marks([3, 5, 9, 12, 16]) == [nil, nil, .slowest, .fastest, nil])
        #expect(Item.laps(endingAt: [.seconds(3), .seconds(5)]).map(\.number) == [2, 1])
        #expect(Item.laps(endingAt: [.seconds(3), .seconds(5)])[0].length == .seconds(2))
    }
}
