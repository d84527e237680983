import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

/// The dot and the colour show for which lead the next reminder is set.
@Suite struct LeadColorTests {
    private static let classes: [(lead: Duration, ink: InkName)] = [
        (.seconds(30 * 86_400), .blue), (.seconds(7 * 86_400), .blue), (.seconds(6 * 86_400), .cyan),
        (.seconds(86_400), .cyan), (.seconds(86_399), .green), (.seconds(3_600), .green), (.seconds(1_800), .yellow),
        (.seconds(300), .orange), (.seconds(299), .red), (.zero, .red),
    ]

    private static func launch(_ lead: Duration?, silence: Item.NextReminder.Silence? = nil) -> Item {
        var item = Fixtures.launch
        item.color = nil
        item.nextReminder = .init(due: Fixtures.now, lead: "some time before", length: lead, silence: silence)
        return item
    }

    @Test(arguments: classes) func theColorIsThatOfTheNextLeadAndNotOfTheTimeLeft(lead: Duration, ink: InkName) {
        #expect(LeadColor.of(Self.launch(lead)) == .named(ink))
        var far = Self.launch(lead)
        far.remaining = .seconds(86_400 * 365)
        #expect(LeadColor.of(far) == .named(ink))
    }

    @Test func theColorOfTheDefinitionWins() {
        var item = Self.launch(.seconds(3_600))
        item.color = "purple"
        #expect(LeadColor.of(item) == .named(.purple))
        #expect(LeadColor.dot(item, Styles.plain) == Line("●", Look(.named(.purple))))
    }

    @Test func theDotIsHollowWithoutAReminderToCome() {
        let filled = Self.launch(.seconds(3_600))
        #expect(LeadColor.dot(filled, Styles.plain).spans.map(\.text) == ["●"])
        #expect(LeadColor.dot(filled, Styles.ascii).spans.map(\.text) == ["*"])
        var none = filled
        none.nextReminder = nil
        for item in [none, Self.launch(.seconds(3_600), silence: .muted), Self.launch(nil, silence: .skipped)] {
            #expect(LeadColor.dot(item, Styles.plain).spans.map(\.text) == ["○"])
            #expect(LeadColor.dot(item, Styles.ascii).spans.map(\.text) == ["o"])
            #expect(LeadColor.of(item) == .plain)
        }
    }

    @Test func aReminderAfterTheOccurrenceIsOfTheLastClass() {
        #expect(LeadColor.of(Self.launch(nil)) == .named(.red))
        var over = Self.launch(nil)
        over.state = .expired
        #expect(LeadColor.of(over) == .named(.red))
        over.nextReminder = nil
        #expect(LeadColor.of(over) == .named(.gray))
    }
}
