import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite struct ShowGoldenTests {
    private static let deliveries = [
        DeliverySummary(
            due: Fixtures.before(.seconds(3_600)), action: "reminder 1 day before", sink: "team-chat",
            outcome: .delivered, attempts: 1),
        DeliverySummary(
            due: Fixtures.before(.seconds(90_000)), action: "expiry", sink: "audit", outcome: .dead, attempts: 10,
            reason: "connection refused\nagain"),
        DeliverySummary(
            due: Fixtures.before(.seconds(90_000)), action: "expiry", sink: "stdout", outcome: .waiting, attempts: 2,
            reason: "the disk is full"),
    ]
    private static let cases: [(name: String, item: Item, width: Int?, style: Style)] = [
        ("launch-80-plain", Fixtures.launch, 80, Styles.plain), ("launch-80-dark", Fixtures.launch, 80, Styles.dark),
        ("launch-80-light", Fixtures.launch, 80, Styles.light), ("launch-40-plain", Fixtures.launch, 40, Styles.plain),
        ("stand-up-80-plain", Fixtures.standUp, 80, Styles.plain), ("tea-80-ascii", Fixtures.tea, 80, Styles.ascii),
        ("tea-pipe", Fixtures.tea, nil, Styles.plain), ("workout-80-plain", Fixtures.workout, 80, Styles.plain),
        ("workout-80-direct", Fixtures.workout, 80, Styles.direct), ("rent-80-plain", Fixtures.rent, 80, Styles.plain),
        ("nap-20-ascii", Fixtures.nap, 20, Styles.ascii), ("launch-muted-80-plain", muted, 80, Styles.plain),
        ("clock-set-back-80-plain", setBack, 80, Styles.plain),
        ("backup-40-plain", Fixtures.backup, 40, Styles.plain), ("backup-80-plain", Fixtures.backup, 80, Styles.plain),
        ("launch-120-dark", Fixtures.launch, 120, Styles.dark),
        ("launch-200-plain", Fixtures.launch, 200, Styles.plain),
    ]
    private static let leads = [
        LeadSummary(lead: "1 month before", due: Fixtures.before(.seconds(1_500_000)), status: .done),
        LeadSummary(
            lead: "2 weeks before", due: Fixtures.before(.seconds(370_000)), status: .failed, reason: "HTTP status 500"),
        LeadSummary(lead: "1 week before", due: Fixtures.after(.seconds(234_245)), status: .next),
        LeadSummary(
            lead: "1 day before", due: Fixtures.after(.seconds(752_645)), status: .muted, reason: "it was muted"),
        LeadSummary(lead: "5 minutes before", due: Fixtures.after(.seconds(838_745)), status: .later),
    ]

    /// A timer by the wall clock, which was set back by an hour.
    private static let setBack = Item(
        asOf: Fixtures.now, id: "bread", kind: .timer, name: "bread", state: .running,
        due: Fixtures.after(.seconds(10_797)), remaining: .seconds(10_797), elapsed: .zero,
        clockBehind: .seconds(3_597), total: .seconds(7_200))

    /// An item whose next reminder is muted.
    private static let muted = {
        var item = Fixtures.launch
        item.nextReminder?.silence = .muted
        return item
    }()

    @Test(arguments: cases.indices) func itemsMatchTheGoldenFiles(index: Int) throws {
        let (name, item, width, style) = Self.cases[index]
        let view = ShowView(width: width, style: style, zones: Fixtures.zones)
        let lines = view.lines(
            item, leads: item.id == "launch" ? Self.leads : [],
            control: item.id == "launch" ? "skip by ada: holiday at 2026-11-20 09:00:00 +01:00" : nil,
            deliveries: item.id == "launch" ? Self.deliveries : [], at: Fixtures.after(.seconds(30)))
        try Golden.compare(lines.map { $0.text(Palette(style)) }, with: "show-\(name).txt")
    }
}
