import Testing

@testable import TminusSinks

@Suite("Retry-After")
struct RetryAfterTests {
    /// 1994-11-06 08:49:37 GMT, the example of RFC 9110.
    private static let example: Int64 = 784_111_777

    @Test(
        "both forms are understood",
        arguments: [
            ("120", .seconds(120)), ("0", .zero), (" 5", .seconds(5)), ("99999999999999999999", .seconds(366 * 86_400)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 08:50:37 1994", .seconds(60)), ("Sun, 06 Nov 1994 08:49:36 GMT", .zero),
            ("Tue, 29 Feb 2000 00:00:00 GMT", .seconds(366 * 86_400)),
            ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("Sun, 06 Nov 1994 08:50:37", nil),
            ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("a b c d e", nil),
            ("Sun, 00 Nov 1994 08:49:37 GMT", nil), (", , , , ,", nil), ("Sun, 06 Nov 1994 :: GMT", nil),
        ] as [(String, Duration?)])
    func forms(text: String, expected: Duration?) {
        #expect(RetryAfter.parse(text, now: Self.example) == expected)
    }

    @Test("dates become the seconds that other programs say")
    func dates() {
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT", now: 0) == Self.example)
        #expect(HTTPDate.parse("Thu, 01 Jan 1970 00:00:00 GMT", now: 0) == 0)
        #expect(HTTPDate.parse("Tue, 29 Feb 2028 12:00:00 GMT", now: 0) == 1_835_438_400)
        #expect(HTTPDate.parse("Fri, 31 Dec 9999 23:59:59 GMT", now: 0) == 253_402_300_799)
    }
}
