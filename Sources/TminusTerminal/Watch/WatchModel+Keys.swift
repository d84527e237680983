package import TminusControl
package import TminusCore

extension WatchModel {
    /// Applies a key press.
    mutating func take(_ key: Key, at now: Timestamp) -> [WatchEffect] {
        if let question, WatchAction(key) != .quit, WatchAction(key) != .redraw {
            return answer(question, isYes: key == .character("y") || key == .character("Y"), at: now)
        }
        guard let action = WatchAction(key) else { return [] }
        if page == .help, ![.quit, .redraw].contains(action) {
            // Any key with an action only leaves the help page, so it cannot have an unseen effect.
            page = pageBehindHelp
            return []
        }
        message = nil
        switch action {
        case .quit: return [.quit]
        case .redraw: return [.redraw]
        case .help:
            pageBehindHelp = page
            page = .help
        case .face: face = face == .digital ? .analogue : .digital
        case .rings: rings = rings == .three ? .total : .three
        case .enlarge: if selection != nil { page = page == .large ? .rows : .large }
        case .back: page = .rows
        case .next: move(by: 1)
        case .previous: move(by: -1)
        case .pageDown: move(by: max(1, layout.body.count - 1))
        case .pageUp: move(by: -max(1, layout.body.count - 1))
        case .first: move(by: -entries.count)
        case .last: move(by: entries.count)
        case .pauseOrResume, .start, .stop, .reset, .lap, .add, .snooze, .skip, .mute, .unmute:
            return control(action, at: now)
        }
        // The enlarged item may have been removed.
        if page == .rows, let selection, items[selection] == nil { self.selection = ids.first }
        scroll()
        return []
    }

    private mutating func move(by distance: Int) {
        let ids = self.ids
        guard !ids.isEmpty else { return }
        let place = selection.flatMap { ids.firstIndex(of: $0) }
        selection = place.map { ids[min(max(0, $0 + distance), ids.count - 1)] } ?? ids.first
    }

    private mutating func control(_ action: WatchAction, at now: Timestamp) -> [WatchEffect] {
        guard let item = selected(at: now) else {
            say("no item is selected", isProblem: true, at: now)
            return []
        }
        guard let control = Self.control(action, item, at: now) else { return [] }
        if let question = WatchQuestion(control, item, at: now) {
            self.question = question
            return []
        }
        return [.perform(item.id, control)]
    }

    /// Any key but yes means no, and does nothing else, so that a slip has no effect.
    private mutating func answer(_ question: WatchQuestion, isYes: Bool, at now: Timestamp) -> [WatchEffect] {
        self.question = nil
        let id = question.item.id
        guard isYes else {
            say("nothing was done", isProblem: false, at: now)
            return []
        }
        guard question.fits(items[id]?.at(now)) else {
            say("\(id) has changed meanwhile; nothing was done", isProblem: true, at: now)
            return []
        }
        return [.perform(id, question.control)]
    }

    /// Maps an action to a control for an item, nil if it is none. The daemon decides whether the control is allowed.
    package static func control(_ action: WatchAction, _ item: Item, at now: Timestamp) -> Control? {
        switch action {
        case .pauseOrResume:
            switch item.state {
            case .paused: .resume
            case .idle, .expired: .start(adding: nil)
            case .upcoming, .running, .acting, .disabled: .pause
            }
        case .start: .start(adding: nil)
        case .add: .start(adding: .seconds(60))
        case .stop: .stop
        case .reset: .reset
        case .lap: .lap
        case .snooze: .snooze(for: Control.standardSnooze)
        case .skip: .skip
        case .mute:
            if let mute = item.overrides.mute, mute.until > now {
                .unmute
            } else {
                .mute(until: now.advanced(by: .seconds(3_600)))
            }
        case .unmute: .unmute
        default: nil
        }
    }
}
