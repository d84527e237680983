import Foundation
import Logging
import Testing
import TminusControl
import TminusTestKit
import TminusWatch

@testable import TminusCore
@testable import TminusDaemon

@Suite("Metrics")
struct MetricTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Compares a text with its record; `TMINUS_RECORD=1` records it again.
    private func compare(_ text: String, with name: String) throws {
        let record = Self.directory.appendingPathComponent("Golden/\(name)")
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: record) }
        #expect(try text == String(decoding: Data(contentsOf: record), as: UTF8.self), "\(name)")
    }

    /// A page of services that never ran, as far as it is the same on every machine.
    private func page(_ figures: EngineFigures, web: WebFigures.Counts = .init()) -> MetricPage {
        var page = MetricPage(MetricFamily.all)
        page.add(.buildInfo, ["1.0", "6.3", "sqlite"], .count(1))
        page.add(.ready, .flag(true))
        page.add(.scrapeDuration, .seconds(.microseconds(1_500)))
        let load = ControlHarness.load(ofState: 1)
        page.add(load, last: load, watch: WatchStatus(), loads: .duration)
        page.add(figures, now: at(0))
        var undelivered = UndeliveredCount()
        undelivered.add(dead: 2, oldest: at(0))
        page.add(
            DeliveryStanding(sinks: [
                SinkStanding(sink: SinkKey("chat"), waiting: 3, nextAttempt: at(-60), undelivered: undelivered)
            ]),
            now: at(0))
        page.add(StoreFigures(), sizeOf: "/nowhere")
        page.add(web)
        page.add(.httpConnections, ["socket"], .count(1))
        page.add(.httpConnections, ["tcp"], .count(2))
        page.add(.followers, .count(2))
        page.add(.unplacedSinks, .count(1))
        page.add(.clockDistance, .seconds(.milliseconds(-1_500)))
        for door in Door.allCases { page.add(.viewers, [door.rawValue], .count(0)) }
        page.add(sessions: [])
        page.add(.certificateExpiry, .instant(at(60)))
        page.add(.eventsSent, .count(0))
        page.add(.viewersDropped, .count(0))
        for level in LogFigures.levels { page.add(.logMessages, [level.rawValue], .count(0)) }
        page.add(.startTime, .instant(at(0)))
        return page
    }

    @Test("the page in the text format 0.0.4, and in OpenMetrics 1.0", arguments: MetricFormat.allCases)
    func golden(format: MetricFormat) throws {
        let figures = MetricFixture.engine([MetricFixture.spec("chat"), MetricFixture.spec(nil, "shell")])
        var web = WebFigures.Counts()
        web.answered[.init(route: "/metrics", method: "GET", code: 200)] = 4
        web.refusals[.host] = 1
        try compare(page(figures, web: web).text(format), with: "\(format).txt")
    }

    @Test("the metrics of definitions, each from the first second on", arguments: MetricFormat.allCases)
    func definitions(format: MetricFormat) throws {
        var page = MetricPage(MetricFamily.ofDefinitions)
        func item(_ id: String, due: Int64?, last: (end: String, due: Int64)?) -> Item {
            var item = Item(asOf: at(0), id: id, kind: .timer, name: id, state: .running, overrides: Overrides())
            item.due = due.map { at(Double($0)) }
            item.lastOutcome = last.map {
                Item.LastOutcome(due: at(Double($0.due)), action: "expiry", end: $0.end)
            }
            return item
        }
        for item in [
            item("a", due: 60, last: ("delivered", -60)), item("b", due: -60, last: ("failed", -60)),
            item("new", due: nil, last: nil),
        ] {
            page.add(item, now: at(0))
        }
        page.add(.definitionsTruncated, .flag(false))
        try compare(page.text(format), with: "definitions-\(format).txt")
    }

    @Test("hostile names of sinks are escaped, and nothing breaks a line")
    func hostileNames() {
        let name = "a\"b\\c\nd{} # \u{e9}"
        let page = page(MetricFixture.engine([MetricFixture.spec(name)]))
        for format in MetricFormat.allCases {
            let lines = page.text(format).split(separator: "\n")
            #expect(
                lines.contains(#"tminus_deliveries_running{sink="a\"b\\c\nd{} # é"} 1"#), "\(format)")
            for line in lines where !line.hasPrefix("# ") {
                #expect(line.wholeMatch(of: /[a-z_]+(\{.*\})? [-+.0-9a-zA-Z]+/) != nil, "\(line)")
            }
        }
    }

    @Test("help is escaped: quotation marks only in OpenMetrics")
    func help() {
        #expect(MetricFormat.text.escapedHelp("a\\b\n\"c\"") == #"a\\b\n"c""#)
        #expect(MetricFormat.openMetrics.escapedHelp("a\\b\n\"c\"") == #"a\\b\n\"c\""#)
    }

    @Test(
        "Accept chooses the format, as Prometheus and browsers send it",
        arguments: [
            (nil, .text), ("", .text), ("*/*", .text), ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", .text),
            ("text/plain", .text), ("text/plain;version=0.0.4;q=0.9", .text),
            (
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                    + "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,"
                    + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2", .openMetrics
            ),
            ("application/openmetrics-text; version=1.0.0; charset=utf-8", .openMetrics),
            ("application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5", .text),
            ("application/openmetrics-text;q=0.1,text/plain;q=0.5", .text),
            ("application/openmetrics-text;q=0,text/plain;q=0", .text), ("application/openmetrics-text;q=x", .text),
            ("APPLICATION/OPENMETRICS-TEXT", .openMetrics), (";;,,;q=", .text), ("application/json", .text),
        ] as [(String?, MetricFormat)])
    func accept(header: String?, format: MetricFormat) {
        #expect(MetricFormat(accept: header) == format)
    }

    @Test("metrics name at most 50 sinks and no id, and have fewer than 1,000 series")
    func series() {
        let sinks = (0..<80).map { MetricFixture.spec("sink-\($0)", "kind-\($0 % 12)") }
        var web = WebFigures.Counts()
        for route in ["/healthz", "/readyz", "/metrics", "/metrics/definitions", "other"] {
            for method in ["GET", "HEAD", "other"] {
                for code in [200, 400, 404, 405, 421, 503] where code < 300 || method == "GET" {
                    web.answered[.init(route: route, method: method, code: code)] = 1
                }
            }
        }
        var figures = MetricFixture.engine(sinks)
        for sink in sinks {
            let slots = figures.dispatch.slots(of: sink)
            figures.dispatch.ended(.delivered, after: .seconds(1), sink: slots.sink, kind: slots.kind)
        }
        let text = page(figures, web: web).text(.text)
        let series = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(series.count < 990, "and six of the process")
        let named = Set(text.matches(of: /sink="([^"]*)"/).map { String($0.output.1) })
        #expect(named.count == 51 && named.contains("other") && named.contains("sink-49") && !named.contains("sink-50"))
        #expect(text.contains(#"tminus_delivery_attempts_total{sink="other",result="delivered"} 60"#))
        #expect(!text.contains("tea"))
        let ten = page(MetricFixture.engine(Array(sinks.prefix(10)))).text(.text)
        #expect(ten.utf8.count < 64 << 10, "\(ten.utf8.count) bytes")
    }

    @Test("a histogram counts by bounds, inclusive, and adds up")
    func histogram() {
        var counts = Histogram([.milliseconds(1), .seconds(1)])
        for time in [Duration.zero, .milliseconds(1), .nanoseconds(1_000_001), .seconds(1), .seconds(2), .seconds(-5)] {
            counts.observe(time)
        }
        #expect(counts.counts == [3, 2, 1] && counts.cumulated == [3, 5, 6] && counts.count == 6)
        #expect(counts.sum == 3_002_000_001 + 0)
    }

    @Test(
        "values are exact",
        arguments: [
            (MetricPage.Value.count(0), "0"), (.count(UInt64.max), "18446744073709551615"), (.whole(-3), "0"),
            (.nanoseconds(0), "0"), (.nanoseconds(500_000), "0.0005"), (.nanoseconds(60_000_000_000), "60"),
            (.nanoseconds(1), "0.000000001"), (.nanoseconds(-1_500_000_000), "-1.5"),
            (.nanoseconds(.min), "-9223372036.854775808"), (.instant(nil), "0"), (.flag(true), "1"),
        ])
    func values(value: MetricPage.Value, text: String) {
        #expect(value.text == text)
    }

    @Test(
        "every metric has a name with the prefix, the unit and the end that its type asks for, and a help that is a sentence"
    )
    func names() {
        let all = MetricFamily.all + MetricFamily.ofDefinitions
        #expect(Set(all.map(\.name)).count == all.count)
        for family in all {
            #expect(family.name.wholeMatch(of: /(tminus|process)_[a-z_]+/) != nil, "\(family.name)")
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            #expect(family.kind != .histogram || family.name.hasSuffix("_seconds"), "\(family.name)")
            #expect(family.help.hasSuffix(".") && family.help.count < 130, "\(family.name)")
        }
    }

    @Test("every metric of the table is on the page, and in the table of the article; TMINUS_RECORD=1 writes that anew")
    func table() throws {
        var page = page(MetricFixture.engine([MetricFixture.spec("chat")]))
        page.addProcess(started: at(0))
        let file = Self.directory.appendingPathComponent("../../../Sources/TminusCore/TminusCore.docc/Metrics.md")
        var article = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        for (families, heading) in [
            (MetricFamily.all, "## All metrics"), (.ofDefinitions, "## Metrics of definitions"),
        ] {
            let rows = families.map { family in
                let labels = family.labels.isEmpty ? "" : "{\(family.labels.joined(separator: ","))}"
                return "| `\(family.name)\(labels)` | \(family.kind.rawValue) | \(family.help) |\n"
            }
            let start = try #require(article.firstRange(of: "\(heading)\n"))
            let head = "| metric | type | meaning |\n| --- | --- | --- |\n"
            let table = try #require(article[start.upperBound...].firstRange(of: head))
            let end = article[table.upperBound...].firstRange(of: "\n\n")?.lowerBound ?? article.endIndex
            if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" {
                article.replaceSubrange(table.upperBound..<end, with: rows.joined().dropLast())
                try Data(article.utf8).write(to: file)
                continue
            }
            #expect(article[table.upperBound..<end] == rows.joined().dropLast())
        }
        let text = page.text(.text)
        let known = ["tminus_store_size_bytes", "tminus_http_requests_total"]
        for family in MetricFamily.all where !known.contains(family.name) {
            #expect(text.contains("# TYPE \(family.name) "), "\(family.name)")
        }
    }

    @Test("lines of the log are counted by level, and reach the log")
    func log() {
        let (record, figures) = (LogRecord(), LogFigures())
        var logger = figures.counting(record.logger)
        logger.logLevel = .notice
        logger.notice("one")
        logger.error("two", metadata: ["a": "b"])
        logger.error("three")
        logger.debug("never")
        #expect(figures.all == [.notice: 1, .error: 2])
        #expect(record.lines.map(\.message) == ["one", "two", "three"])
        #expect(record.lines[1].metadata == ["a": "b"])
    }
}

extension [MetricFamily] {
    fileprivate static var ofDefinitions: [MetricFamily] { MetricFamily.ofDefinitions }
}

@Suite("Measured store")
struct MeasuredStoreTests {
    @Test("each verb is counted, with its failures, and passed on")
    func verbs() async throws {
        let (inner, figures) = (TroubledStore(), StoreFigures())
        let store = MeasuredStore(inner, into: figures)
        _ = try await store.snapshot()
        _ = try await store.commit(Commit(), now: at(0))
        inner.refuse(.commit)
        await #expect(throws: StoreError.self) { try await store.commit(Commit(), now: at(0)) }
        let counts = Dictionary(uniqueKeysWithValues: figures.all)
        #expect(counts[.commit]?.durations.count == 2 && counts[.commit]?.errors == 1)
        #expect(counts[.snapshot]?.durations.count == 1 && counts[.snapshot]?.errors == 0)
        #expect(counts[.read]?.durations.count == 0)
        #expect(!store.isBusy)
    }
}
