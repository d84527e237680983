import Foundation
import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTestKit

@testable import TminusTerminal

/// The web page counts and tells items by the same rules, in JavaScript. This table is what the terminal does; the browser
/// tests hold the page against the recorded file.
@Suite struct PageTableTests {
    @Test("the table for the page has what the terminal says of items, lengths, actions, keys and colours")
    func thePageHasTheSameTable() throws {
        var random = SeededRandom(30)
        let items = Fixtures.all + Self.special + (0..<12).map { _ in Fixtures.random(&random) }
        let rows = try items.map { item in
            let told = Self.instants.map { Self.moment(item, Fixtures.after($0)) }
            return try Self.line([
                "item": try JSONSerialization.jsonObject(with: Data(item.json)), "moments": told,
            ])
        }
        let lines =
            ["{", "\"items\": ["] + Self.list(rows) + ["],", "\"lengths\": ["]
            + Self.list(try Self.lengths.map { try Self.line(Self.length($0)) }) + ["],", "\"actions\": ["]
            + Self.list(try Self.actions.map { try Self.line([$0, AnswerText.action($0)]) }) + ["],", "\"keys\": ["]
            + Self.list(try Self.keys.map { try Self.line($0) }) + ["],", "\"inks\": ["]
            + Self.list(try InkName.allCases.map { try Self.line(Self.ink($0)) }) + ["]", "}"]
        try Golden.compare(lines, with: "page-table.json")
    }

    /// How long after the items were made they are told.
    private static let instants: [Duration] = [
        .zero, .milliseconds(400), .milliseconds(59_500), .seconds(5_400), .seconds(3 * 86_400),
    ]

    /// Items with what the others do not have.
    private static let special: [Item] = {
        let origin = Overrides.Origin(by: "ada", at: Fixtures.before(.seconds(60)))
        var skipped = Fixtures.launch
        (skipped.id, skipped.overrides) = (
            "skipped", Overrides(skip: .init(occurrence: Fixtures.after(.seconds(839_045)), origin: origin))
        )
        var snoozed = Fixtures.standUp
        (snoozed.id, snoozed.overrides) = (
            "snoozed",
            Overrides(
                snooze: .init(
                    occurrence: Fixtures.after(.seconds(5_400)), until: Fixtures.after(.seconds(5_940)),
                    origin: origin))
        )
        var behind = Fixtures.tea
        (behind.id, behind.elapsed, behind.clockBehind) = ("behind", .zero, .milliseconds(59_600))
        var silenced = Fixtures.launch
        (silenced.id, silenced.color) = ("silenced", nil)
        silenced.nextReminder?.silence = .muted
        let leads = [604_800, 86_400, 3_600, 1_800, 300, 299, 0].map { seconds in
            var item = Fixtures.launch
            (item.id, item.color) = ("lead-\(seconds)", nil)
            item.nextReminder?.length = .seconds(seconds)
            return item
        }
        return [skipped, snoozed, behind, silenced] + leads
    }()

    /// An instant, and what the terminal says of an item then.
    private static func moment(_ item: Item, _ now: Timestamp) -> [String: Any] {
        let moved = item.at(now)
        let shares = moved.shownTime.map { time in
            let all = Rings.shares(of: time)
            return [all.hours, all.minutes, all.seconds].map { String(format: "%.6f", $0) }
        }
        let controls: [Control] = [.stop, .reset, .skip, .unmute, .start(adding: nil), .mute(until: now)]
        let questions = controls.compactMap { control in
            WatchQuestion(control, moved, at: now).map { (control.verb.rawValue, $0.text) }
        }
        let expected: [String: Any] = [
            "answer": AnswerText.line(moved), "lap": AnswerText.line(moved, after: .lap),
            "counting": moved.isCounting, "elapsed": orNull(moved.elapsed.map(milliseconds)),
            "failing": moved.isFailing, "fraction": orNull(moved.fraction.map { String(format: "%.6f", $0) }),
            "group": moved.group.rawValue, "ink": orNull(ink(LeadColor.of(moved))), "last": moved.lastOutcomeWords,
            "questions": Dictionary(uniqueKeysWithValues: questions),
            "remaining": orNull(moved.remaining.map(milliseconds)), "reminder": moved.comingReminder != nil,
            "shares": orNull(shares), "state": moved.stateWords, "time": ClockFace.text(moved),
            "undelivered": moved.undelivered?.words ?? "", "words": moved.remainingWords,
        ]
        return ["now": now.rfc3339, "expected": expected]
    }

    private static let lengths: [Duration] =
        [0, 1, 499, 500, 999, 1_000, 1_001, 59_499, 59_500, 60_000, 61_000, 3_570_000, 3_600_000, 3_600_001, 5_400_000]
        .flatMap { [.milliseconds($0), .zero - .milliseconds($0)] }
        + [5_401, 86_399, 86_400, 172_800, 172_801, 31_536_000].map { .seconds($0) }

    private static func length(_ time: Duration) -> [String: Any] {
        [
            "milliseconds": milliseconds(time), "words": RemainingText.words(time.nanoseconds),
            "left": ClockText.digits(ClockText.left(time)),
            "passed": ClockText.digits(ClockText.passed(max(.zero, time))),
            "lap": ClockText.lap(time),
        ]
    }

    private static let actions = [
        "expiry", "before:P7D", "before:P1W", "before:P1D", "before:P1M", "before:PT1H", "before:PT30M", "before:PT90S",
        "before:P1DT2H", "after:PT5M", "elapsed:PT10M", "snoozed:expiry", "missed:expiry", "failure:x", "test:expiry",
        "of-another-kind", "of-another-kind:x",
    ]

    /// The keys that the page has too: it is not quit or drawn anew by a key.
    private static let keys: [[String]] = WatchAction.table.filter { ![.quit, .redraw].contains($0.action) }
        .map { ["\($0.action)", $0.label ?? "", $0.does] }

    private static func ink(_ ink: Ink) -> String? {
        switch ink {
        case .plain: nil
        case .named(let name): name.rawValue
        case .rgb(let red, let green, let blue): hexadecimal(red, green, blue)
        }
    }

    private static func ink(_ name: InkName) -> [String] {
        let shades = name.shades
        return [name.rawValue] + [shades.light, shades.dark].map { hexadecimal($0.red, $0.green, $0.blue) }
    }

    private static func hexadecimal(_ parts: UInt8...) -> String {
        "#" + parts.map { String(format: "%02x", $0) }.joined()
    }

    private static func milliseconds(_ time: Duration) -> Int64 { time.nanoseconds / 1_000_000 }

    private static func orNull(_ value: (some Any)?) -> Any { value.map { $0 as Any } ?? NSNull() }

    private static func line(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }

    /// The lines of a list in JSON.
    private static func list(_ rows: [String]) -> [String] {
        rows.enumerated().map { $0 + 1 < rows.count ? $1 + "," : $1 }
    }
}
