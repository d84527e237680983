import Testing
import TminusCore

struct RemainingTextTests {
    @Test(
        "remaining time in words",
        arguments: [
            (0, "0 s"), (0.4, "0 s"), (1, "1 s"), (45, "45 s"), (59.4, "59 s"), (59.997, "1 min"), (60, "1 min"),
            (61, "1 min"),
            (299.995, "5 min"), (300, "5 min"), (3_540, "59 min"), (3_599.9, "60 min"), (3_600, "60 min"),
            (3_600.001, "1.5 hours"), (4_500, "1.5 hours"), (5_400, "1.5 hours"), (5_400.001, "2 hours"),
            (7_200, "2 hours"),
            (8_999, "2 hours"), (9_000, "3 hours"), (86_399.99, "24 hours"), (172_800, "48 hours"),
            (172_800.001, "2 days"),
            (259_200, "3 days"), (604_799.99, "7 days"), (-0.4, "0 s"), (-45, "45 s ago"), (-3_540, "59 min ago"),
            (-7_200, "2 hours ago"),
        ])
    func words(seconds: Double, expected: String) {
        #expect(RemainingText.words(Int64((seconds * 1e9).rounded())) == expected)
    }

    @Test("the longest times have words too")
    func extremes() {
        #expect(RemainingText.words(.max) == "106752 days")
        #expect(RemainingText.words(.min) == "106752 days ago")
    }
}
