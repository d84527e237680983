import SimulationChecker
import TminusCore
import TminusTestKit

/// A definition as a file has it, with what it means.
struct Draft: Sendable, Equatable {
    var id: String
    var rule: Rule

    /// The content of its file.
    var text: String {
        var lines: [String] = []
        switch rule.kind {
        case .event(let calendar):
            lines = ["events:", "  \(id):"] + Self.lines(of: calendar)
            lines.append("    on-expiry: \(list(rule.sinks))")
        case .timer(let duration, let repetition, let count, let isAuto, let followsWall, let isAwake):
            lines = ["timers:", "  \(id):", "    duration: \(seconds(duration))"]
            switch repetition {
            case .never: break
            case .immediately: lines.append("    repeat: immediately")
            case .afterAction: lines.append("    repeat: after-action")
            }
            if count != .max { lines.append("    count: \(count)") }
            if !isAuto { lines.append("    start: manual") }
            if followsWall || isAwake { lines.append("    clock: \(followsWall ? "wall" : "awake")") }
            lines.append("    on-expiry: \(list(rule.sinks))")
        case .stopwatch(let alerts, let isAuto):
            lines = ["stopwatches:", "  \(id):", "    at-elapsed: \(list(alerts.map(seconds)))"]
            if isAuto { lines.append("    start: auto") }
            lines.append("    on-elapsed: \(list(rule.sinks))")
        }
        if !rule.leads.isEmpty {
            let leads = rule.leads.map { $0.isBefore ? seconds($0.length) : "{ after: \(seconds($0.length)) }" }
            lines.append("    remind: \(list(leads))")
            lines.append("    on-reminder: \(list(rule.reminderSinks))")
        }
        if !rule.failureSinks.isEmpty { lines.append("    on-failure: \(list(rule.failureSinks))") }
        lines.append("    overlap: \(rule.overlap.rawValue)")
        if !rule.isStopwatch {
            lines.append("    catch-up: \(rule.catchUp.rawValue)")
            lines.append("    grace: \(seconds(rule.grace))")
        }
        if !rule.isEnabled { lines.append("    enabled: false") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of calendar: Rule.Calendar) -> [String] {
        func instant(_ nanoseconds: Nanoseconds) -> String { Timestamp(nanoseconds: nanoseconds).rfc3339 }
        switch calendar {
        case .every(let start, let step, let until):
            return [
                "    every: \(step / 1_000_000_000) s", "    start: \(instant(start))", "    until: \(instant(until))",
            ]
        case .daily(let hours, let minutes):
            let fields = [minutes, hours].map { $0.map(String.init).joined(separator: ",") }
            return ["    cron: \"\(fields[0]) \(fields[1]) * * *\""]
        case .instants(let instants):
            return ["    at: [\(instants.map(instant).joined(separator: ", "))]"]
        }
    }

    private func seconds(_ time: Nanoseconds) -> String { "\(time / 1_000_000_000)s" }
    private func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }
}

extension Rule {
    /// Whether it is that of a stopwatch, whose files say nothing of catching up.
    var isStopwatch: Bool { if case .stopwatch = kind { true } else { false } }
}

/// Makes definitions at random.
struct Grammar {
    var random: SeededRandom
    let sinks: [String]
    /// The wall time at which a run begins, and how long it lasts.
    let begin: Nanoseconds
    let length: Nanoseconds

    private static let minute: Nanoseconds = 60_000_000_000
    private static let hour: Nanoseconds = 3_600_000_000_000

    mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    private mutating func someSinks(_ limit: Int) -> [String] {
        let first = random.below(sinks.count)
        let count = 1 + random.below(min(limit, sinks.count))
        return (0..<count).map { sinks[(first + $0) % sinks.count] }
    }

    /// A definition that makes something due every few hours. `now` is when it comes to be written, in wall time.
    mutating func draft(_ id: String, now: Nanoseconds) -> Draft {
        var rule: Rule
        let kind = random.below(10)
        switch kind {
        case 0..<5: rule = event(now)
        case 5..<8: rule = timer()
        default: rule = stopwatch()
        }
        if random.below(4) == 0 { rule.failureSinks = someSinks(1) }
        rule.overlap = pick([.queue, .queue, .skip, .allow, .replace])
        rule.isEnabled = random.below(12) > 0
        return Draft(id: id, rule: rule)
    }

    /// A definition whose occurrences come while a receiver that is slow still has the one before.
    mutating func crowd(_ id: String, to sink: String, now: Nanoseconds) -> Draft {
        let (start, step) = (now - now % Self.minute, Self.minute / 4)
        var rule = Rule(
            kind: .event(.every(start: start, step: step, until: start + 20 * step)), sinks: [sink], catchUp: .latest,
            grace: grace())
        rule.overlap = pick([.skip, .replace])
        return Draft(id: id, rule: rule)
    }

    private mutating func event(_ now: Nanoseconds) -> Rule {
        let calendar: Rule.Calendar
        let soon = now - now % 1_000_000_000
        switch random.below(3) {
        case 0:
            let start = soon + Int64(random.below(7_200) - 3_600) * 1_000_000_000
            let step = pick([1, 2, 20, 45, 90, 240, 480].map { $0 * Self.minute })
            calendar = .every(start: start, step: step, until: start + step * Int64(4 + random.below(60)))
        case 1:
            let hours = Set((0...random.below(3)).map { _ in Int64(random.below(24)) }).sorted()
            let minutes = Set((0...random.below(2)).map { _ in Int64(random.below(60)) }).sorted()
            calendar = .daily(hours: hours, minutes: minutes)
        default:
            let instants = (0...random.below(6)).map { _ in
                soon + Int64(random.below(Int(length / 1_000_000_000)) - 3_600) * 1_000_000_000
            }
            calendar = .instants(Set(instants).sorted())
        }
        var rule = Rule(
            kind: .event(calendar), sinks: someSinks(2), catchUp: pick([.latest, .latest, .all, .none]), grace: grace())
        let lengths: [Nanoseconds] = [1, 5, 30, 60, 180, 1_440].map { $0 * Self.minute }
        for _ in 0..<random.below(3) {
            let lead = Rule.Lead(length: pick(lengths), isBefore: random.below(4) > 0)
            if !rule.leads.contains(lead) { rule.leads.append(lead) }
        }
        if !rule.leads.isEmpty { rule.reminderSinks = someSinks(2) }
        return rule
    }

    private mutating func grace() -> Nanoseconds { pick([20 * Self.minute, 3 * Self.hour, 168 * Self.hour]) }

    private mutating func timer() -> Rule {
        let duration = Int64(20 + random.below(700)) * Self.minute + Int64(random.below(60)) * 1_000_000_000
        let repetition = pick([Rule.Repetition.never, .immediately, .afterAction, .afterAction])
        let clock = random.below(6)
        var rule = Rule(
            kind: .timer(
                duration: duration, repetition,
                count: repetition != .never && random.below(3) == 0 ? 2 + random.below(8) : .max,
                isAuto: random.below(5) > 0, followsWall: clock == 0, isAwake: clock == 1),
            sinks: someSinks(2), catchUp: pick([.latest, .all, .none]), grace: grace())
        if random.below(2) == 0 {
            let isBefore = repetition != .never || random.below(3) > 0
            rule.leads = [Rule.Lead(length: Int64(1 + random.below(15)) * Self.minute, isBefore: isBefore)]
            rule.reminderSinks = someSinks(1)
        }
        return rule
    }

    private mutating func stopwatch() -> Rule {
        let alerts = (0...random.below(4)).map { _ in Int64(1 + random.below(2_000)) * Self.minute }
        return Rule(
            kind: .stopwatch(alerts: Set(alerts).sorted(), isAuto: random.below(3) > 0), sinks: someSinks(1),
            catchUp: .latest, grace: 168 * Self.hour)
    }

    /// An edit of a definition: of its rule, its reminders, or what else it says.
    mutating func edited(_ draft: Draft, now: Nanoseconds) -> Draft {
        var next = draft
        switch random.below(5) {
        case 0: next.rule.isEnabled.toggle()
        case 1: next.rule.sinks = someSinks(2)
        case 2 where !next.rule.isStopwatch:
            let lead = Rule.Lead(length: Int64(2 + random.below(18)) * Self.minute, isBefore: true)
            next.rule.leads = next.rule.leads.isEmpty ? [lead] : []
            next.rule.reminderSinks = next.rule.leads.isEmpty ? [] : someSinks(1)
        case 3:
            guard
                case .timer(let duration, let repetition, let count, let isAuto, let wall, let awake) = draft.rule.kind
            else { return self.draft(draft.id, now: now) }
            next.rule.kind = .timer(
                duration: duration + Int64(1 + random.below(90)) * Self.minute, repetition, count: count,
                isAuto: isAuto, followsWall: wall, isAwake: awake)
        default: return self.draft(draft.id, now: now)
        }
        return next
    }
}
