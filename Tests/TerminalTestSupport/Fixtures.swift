package import TminusControl
package import TminusCore
package import TminusTerminal
package import TminusTestKit

/// Items as a daemon would send them.
package enum Fixtures {
    /// 2026-11-21 16:00:00 UTC, a Saturday.
    package static let now = Timestamp(seconds: 1_795_276_800)
    package static func after(_ time: Duration) -> Timestamp { now.advanced(by: time) }
    package static func before(_ time: Duration) -> Timestamp { now.advanced(by: .zero - time) }
    package static let zones = ManualZones(["Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3"])

    package static let launch = Item(
        asOf: now, id: "launch", kind: .event, name: "Product launch", description: "Version 2 goes public.",
        labels: ["team": "web", "area": "shop"], color: "purple", state: .upcoming, due: after(.seconds(839_045)),
        remaining: .seconds(839_045), total: .seconds(2_000_000),
        nextReminder: .init(due: after(.seconds(234_245)), lead: "1 week before", length: .seconds(604_800)),
        timezone: "Europe/Berlin",
        file: "config/launch.yaml", line: 12)
    package static let standUp = Item(
        asOf: now, id: "stand-up", kind: .event, name: "Daily stand-up", state: .upcoming, due: after(.seconds(5_400)),
        remaining: .seconds(5_400), total: .seconds(86_400),
        overrides: Overrides(
            mute: .init(
                until: after(.seconds(7_200)),
                origin: .init(by: "ada", at: before(.seconds(60)), note: "holiday"))),
        lastOutcome: .init(due: before(.seconds(81_000)), action: "expiry", end: "delivered"),
        timezone: "Europe/Berlin", file: "config/launch.yaml", line: 20)
    package static let tea = Item(
        asOf: now, id: "tea", kind: .timer, name: "tea", state: .running, due: after(.milliseconds(192_500)),
        remaining: .milliseconds(192_500), elapsed: .milliseconds(47_500), total: .seconds(240),
        nextReminder: .init(due: after(.milliseconds(132_500)), lead: "1 minute before", length: .seconds(60)),
        file: "tea.yaml", line: 3)
    package static let fitting = Item(
        asOf: now, id: "fitting", kind: .timer, name: "Fitting of the second suit", state: .paused,
        remaining: .seconds(4_800), elapsed: .seconds(2_400), total: .seconds(7_200))
    package static let refresh = Item(
        asOf: now, id: "refresh-prices", kind: .timer, name: "refresh-prices", state: .acting, due: now,
        remaining: .zero, elapsed: .seconds(60), total: .seconds(60))
    package static let workout = Item(
        asOf: now, id: "workout", kind: .stopwatch, name: "Workout 💪", state: .running,
        elapsed: .milliseconds(3_671_250),
        laps: [
            .init(number: 3, length: .milliseconds(1_201_125), total: .milliseconds(3_601_250), mark: .slowest),
            .init(number: 2, length: .milliseconds(1_200_100), total: .milliseconds(2_400_125)),
            .init(number: 1, length: .milliseconds(1_200_025), total: .milliseconds(1_200_025), mark: .fastest),
        ])
    package static let nap = Item(
        asOf: now, id: "nap", kind: .timer, name: "昼寝の時間", state: .idle, total: .seconds(1_200))
    package static let rent = Item(
        asOf: now, id: "rent", kind: .event, name: "Rent\u{1B}[31m\u{202E}tner", state: .expired,
        due: before(.seconds(200_000)), remaining: .seconds(-200_000), timezone: "Europe/Berlin")
    package static let off = Item(asOf: now, id: "old-cron", kind: .event, name: "old-cron", state: .disabled)

    package static let backup = Item(
        asOf: now, id: "nightly-backup-of-the-database", kind: .event, name: "Nightly backup", state: .upcoming,
        due: after(.seconds(1_000_000)), remaining: .seconds(1_000_000), total: .seconds(2_000_000),
        nextReminder: .init(due: after(.seconds(913_600)), lead: "1 day before", length: .seconds(86_400)),
        undelivered: .init(
            retrying: 1, nextAttempt: after(.seconds(60)), dead: 3, oldestDead: before(.seconds(90_000))),
        lastOutcome: .init(
            due: before(.seconds(86_400)), action: "expiry", end: "failed", reason: "http-status",
            message: "HTTP status 500"),
        timezone: "Europe/Berlin", file: "config/backup.yaml", line: 2)

    package static let all = [launch, standUp, tea, fitting, refresh, workout, nap, rent, off, backup]

    /// The problem of a broken file, in one line.
    package static let problem = "backup.yaml:3:5: unknown key 'remnd'; its last good content stays in force"

    /// A model that shows these items.
    package static func model(_ items: [Item] = all, _ columns: Int, _ rows: Int, id: String? = nil) -> WatchModel {
        var model = WatchModel(size: ScreenSize(columns: columns, rows: rows), id: id)
        _ = model.step(.feed(.all(items)), at: now)
        return model
    }

    /// Items that differ by their number.
    package static func random(_ random: inout SeededRandom) -> Item {
        let names = ["tea", "Eröffnung 🎉", "時計", "\u{1B}[2Jx", "e\u{301}\u{301}\u{301}", "👨‍👩‍👧‍👦", "🇩🇪🇫🇷", "क्षि", "한국어", ""]
        let name = (0...random.below(4)).map { _ in names[random.below(names.count)] }.joined(separator: " ")
        let kind = DefinitionKind.allCases[random.below(3)]
        let isStopwatch = kind == .stopwatch
        let remaining = Duration.milliseconds(random.below(2_000_000_000) - 100_000_000)
        return Item(
            asOf: now, id: "item-\(random.below(10_000))", kind: kind, name: name,
            description: random.below(2) == 0 ? name : nil, labels: random.below(3) == 0 ? ["a": name] : [:],
            color: [nil, "red", "#a0b0c0", "mauve"][random.below(4)],
            state: Item.State.allCases[random.below(Item.State.allCases.count)],
            due: isStopwatch ? nil : after(remaining), remaining: isStopwatch ? nil : remaining,
            elapsed: random.below(2) == 0 ? .milliseconds(random.below(1_000_000_000)) : nil,
            total: random.below(2) == 0 ? .seconds(random.below(1_000_000)) : nil,
            laps: isStopwatch
                ? (0..<random.below(30)).map {
                    .init(number: $0 + 1, length: .seconds($0), total: .seconds($0 * $0), mark: nil)
                } : nil,
            nextReminder: random.below(2) == 0
                ? .init(due: now, lead: name, length: random.below(2) == 0 ? .seconds(random.below(1_000_000)) : nil)
                : nil,
            undelivered: random.below(4) == 0 ? .init(retrying: random.below(2), dead: random.below(3)) : nil,
            lastOutcome: random.below(2) == 0 ? .init(due: now, action: name, end: "failed", message: name) : nil)
    }
}
