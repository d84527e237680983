import Testing
import TminusControl
import TminusCore

@Suite struct ItemTests {
    @Test(arguments: [(Duration.seconds(30), 0.5), (.seconds(-1), 0), (.seconds(90), 1)])
    func theShareThatIsLeftIsBetweenNoneAndAll(remaining: Duration, fraction: Double) {
        let item = Item(
            asOf: Timestamp(seconds: 0), id: "tea", kind: .timer, name: "Tea", state: .running, remaining: remaining,
            total: .seconds(60))
        #expect(item.fraction == fraction)
    }
}
