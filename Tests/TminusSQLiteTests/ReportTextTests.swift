import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: reports as stored")
struct ReportTextTests {
    private static let all = DeliveryReport(
        exitStatus: 255, signal: 9, httpStatus: 503, output: .init(tail: Array("a \"b\"\u{0}\\ ü\n".utf8)),
        errors: .init(tail: Array("tail".utf8), isComplete: false),
        body: .init(head: Array("head".utf8), isComplete: false),
        note: .init(head: Array("".utf8)))

    @Test(
        "a report is read as it was written",
        arguments: [all, DeliveryReport(exitStatus: 0, output: .init(tail: []), errors: .init(tail: []))])
    func roundTrip(_ report: DeliveryReport) throws {
        let text = try #require(ReportText.encode(report))
        #expect(ReportText.decode(text) == report)
    }

    @Test("an empty report is not stored; invalid text reads as an empty report")
    func none() {
        #expect(ReportText.encode(.empty) == nil)
        #expect(ReportText.decode("{") == .empty)
    }
}
