import SimulationChecker
import TminusCore

/// A history for people.
enum HistoryText {
    /// One line for each record.
    static func text(_ history: [Record], _ violations: [Violation] = []) -> String {
        var lines: [String] = []
        var left = violations[...]
        for record in history {
            while let violation = left.first, violation.steady < record.steady {
                lines.append("                ^^^ \(violation.rule): \(violation.detail)")
                left.removeFirst()
            }
            lines.append("\(steady(record.steady)) \(wall(record.wall)) \(words(record.event))")
        }
        return lines.joined(separator: "\n")
    }

    /// What rule is broken, where and when.
    static func line(_ violation: Violation, _ plan: Plan) -> String {
        "\(violation.rule) at \(steady(violation.steady)): \(violation.detail)"
    }

    private static func steady(_ time: Nanoseconds) -> String {
        let text = String(time / 1_000_000)
        let padded = String(repeating: "0", count: max(0, 9 - text.count)) + text
        return "\(padded.dropLast(3)).\(padded.suffix(3))"
    }

    private static func wall(_ time: Nanoseconds) -> String { Timestamp(nanoseconds: time).rfc3339 }

    private static func words(_ event: Happened) -> String {
        switch event {
        case .started: "process started"
        case .stopping: "process asked to stop"
        case .powerCut: "power cut"
        case .crashed: "process gone"
        case .follows(let run): "follower \(run) started"
        case .followerGone(let run): "follower \(run) gone"
        case .followerLeaves(let run): "follower \(run) is cut off, or to end"
        case .reconnected(let run): "follower \(run) reconnected"
        case .claimsReleased(let run): "claims of follower \(run) released"
        case .storeTroubled: "store in trouble"
        case .storeWorks: "store works"
        case .clockSet(let step): "clock set by \(step / 1_000_000_000) s"
        case .slept(let time): "slept for \(time / 1_000_000_000) s"
        case .edited(let id, let rule):
            rule.map { "file of \(id):\n" + indented(Draft(id: id, rule: $0).text) } ?? "file of \(id) removed"
        case .asked(let ticket, let wish):
            "asked #\(ticket): \(wish.verb.rawValue) \(wish.definition ?? "all") \(amount(wish))"
        case .answered(let ticket, let isDone): "answered #\(ticket): \(isDone ? "done" : "refused")"
        case .received(let attempt):
            "attempt \(attempt.number): \(attempt.sink) gets \(attempt.definition) \(attempt.action.rawValue) of "
                + "\(wall(attempt.occurrence)) due \(wall(attempt.due)) id \(attempt.delivery.prefix(8))"
                + (attempt.isCatchUp ? " caught up" : "") + " by process \(attempt.process)"
        case .taken(let number): "attempt \(number): taken"
        case .told(let number, let verdict): "attempt \(number): the program learns: \(verdict)"
        case .over: "over"
        }
    }

    private static func amount(_ wish: Wish) -> String {
        switch wish.verb {
        case .mute: "until \(wall(wish.amount))"
        case .add, .snooze: "\(wish.amount / 1_000_000_000) s"
        default: ""
        }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "            | \($0)" }.joined(separator: "\n")
    }
}
