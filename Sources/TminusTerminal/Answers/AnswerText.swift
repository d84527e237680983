package import TminusControl
package import TminusCore

/// The one-line answers of commands.
package enum AnswerText {
    /// The state of an item after a control: `tea: running, 3 min left`.
    package static func line(_ item: Item, after verb: Control.Verb? = nil) -> String {
        var parts = [stand(item)]
        if verb == .lap, let lap = item.laps?.first {
            parts = ["lap \(lap.number)", ClockText.lap(lap.length)]
            parts.append("\(ClockText.lap(lap.total)) in total")
            if let mark = lap.mark { parts.append("the \(mark.rawValue) so far") }
        }
        if item.clockBehind != nil { parts.append(Item.clockSetBack) }
        let overrides = item.overrides
        if let mute = overrides.mute { parts.append("muted for \(words(item.asOf.duration(to: mute.until)))") }
        if overrides.skip != nil { parts.append("the next occurrence is skipped") }
        if let snooze = overrides.snooze {
            parts.append("the expiry is sent \(words(snooze.occurrence.duration(to: snooze.until))) later")
        }
        return SafeText.line("\(item.id): " + parts.joined(separator: ", "))
    }

    /// Turns a stored action name into words: `before:P1D` becomes `1 day before`.
    package static func action(_ stored: String) -> String {
        guard let split = stored.firstIndex(of: ":") else { return stored }
        let (kind, value) = (stored[..<split], String(stored[stored.index(after: split)...]))
        switch kind {
        case "before", "after":
            guard case .success(let lead) = CalendarSpan.parse(value) else { return stored }
            return "\(lead.text) \(kind)"
        case "elapsed":
            guard case .success(let time) = CalendarSpan.parse(value) else { return stored }
            return "at \(time.text)"
        case "snoozed": return "snoozed expiry"
        case "missed": return "missed notice"
        case "failure": return "failure notice"
        case "test": return "test"
        default: return stored
        }
    }

    private static func stand(_ item: Item) -> String {
        let time = item.remaining.map { words($0) }
        switch (item.kind, item.state) {
        case (.stopwatch, .running), (.stopwatch, .paused):
            let passed = item.elapsed.map { ", " + ClockText.digits(ClockText.passed($0)) } ?? ""
            return item.state.rawValue + passed
        case (.stopwatch, .idle): return "at zero, not started"
        case (_, .idle): return "not started" + (item.total.map { ", \(words($0))" } ?? "")
        case (_, .acting): return "its actions are running"
        case (_, .expired): return "expired" + (time.map { " \($0)" } ?? "")
        case (_, .upcoming), (_, .running), (_, .paused), (_, .disabled):
            return item.state.rawValue + (time.map { ", \($0) left" } ?? "")
        }
    }

    private static func words(_ time: Duration) -> String { RemainingText.words(time.nanoseconds) }
}
