import Testing
import TminusCore

@Suite("Delivery reports")
struct DeliveryReportTests {
    typealias Excerpt = DeliveryReport.Excerpt

    @Test("output within the limit is kept completely")
    func whole() {
        let bytes = Array(String(repeating: "ä", count: Excerpt.limit / 2).utf8)
        for excerpt in [Excerpt(tail: bytes), Excerpt(head: bytes)] {
            #expect(Array(excerpt.text.utf8) == bytes)
            #expect(!excerpt.isCutAtStart && !excerpt.isCutAtEnd)
        }
        #expect(Excerpt(tail: [], isComplete: false).isCutAtStart)
    }

    @Test("of longer output, the end or the beginning is kept, and the cut is marked", arguments: 1...4)
    func cut(offset: Int) {
        let text = String(repeating: "a", count: offset) + String(repeating: "🎉", count: 2_000)
        let tail = Excerpt(tail: Array(text.utf8))
        #expect(tail.isCutAtStart && !tail.isCutAtEnd)
        #expect(text.hasSuffix(tail.text) && tail.text.utf8.count > Excerpt.limit - 4)
        let head = Excerpt(head: Array(text.utf8))
        #expect(head.isCutAtEnd && !head.isCutAtStart)
        #expect(text.hasPrefix(head.text) && head.text.utf8.count > Excerpt.limit - 4)
    }

    @Test("invalid UTF-8 does not make the report longer than the limit")
    func notText() {
        let bytes = [UInt8](repeating: 0xFF, count: Excerpt.limit)
        for excerpt in [Excerpt(tail: bytes), Excerpt(head: bytes)] {
            #expect(excerpt.text.utf8.count <= Excerpt.limit)
            #expect(excerpt.text.hasPrefix("\u{FFFD}"))
            #expect(excerpt.isCutAtStart != excerpt.isCutAtEnd)
        }
    }
}
