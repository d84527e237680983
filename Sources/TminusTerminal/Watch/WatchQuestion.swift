package import TminusControl
package import TminusCore

/// A question before a control that loses something and cannot be taken back.
package struct WatchQuestion: Sendable, Hashable {
    /// The control.
    package var control: Control
    /// The item as it was when the question was asked.
    package var item: Item
    /// The instant at which the question is withdrawn.
    package var until: Timestamp

    /// The time for an answer.
    static let patience: Duration = .seconds(10)

    /// The question for a control, nil if it loses nothing.
    package init?(_ control: Control, _ item: Item, at now: Timestamp) {
        guard Self.loses(control, item) else { return nil }
        (self.control, self.item) = (control, item)
        until = now.advanced(by: Self.patience)
    }

    /// Whether a control loses what no other control brings back: a running countdown, laps, an occurrence, or the end
    /// of a mute.
    private static func loses(_ control: Control, _ item: Item) -> Bool {
        switch control {
        // A stopwatch that was stopped can go on.
        case .stop: item.kind == .timer && isUnderWay(item)
        case .reset: item.kind != .event && isUnderWay(item)
        case .skip: item.kind != .stopwatch
        case .unmute: item.overrides != Overrides()
        case .start, .pause, .resume, .lap, .snooze, .mute: false
        }
    }

    private static func isUnderWay(_ item: Item) -> Bool { item.state != .idle && item.state != .expired }

    /// The question in words.
    package var text: String {
        switch control {
        case .skip: "skip the next occurrence of \(item.name)?"
        case .unmute: "end mute, skip and snooze of \(item.name)?"
        default: "\(control.verb.rawValue) \(item.name)?"
        }
    }

    /// Whether the control would still do to the item what was asked.
    func fits(_ current: Item?) -> Bool {
        guard let current else { return false }
        return current.due == item.due && current.state == item.state && current.overrides == item.overrides
    }
}
