import Synchronization
package import TminusControl
package import TminusCore
package import TminusTerminal

/// Items that stand in for a daemon: a person's controls change them, and nothing else does.
package final class FixtureFeed: ItemFeed {
    private struct State {
        var items: [String: Item]
        var news: AsyncStream<FeedChange>.Continuation?
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Timestamp

    /// A feed of these items.
    package init(_ items: [Item], now: @escaping @Sendable () -> Timestamp) {
        state = Mutex(State(items: Dictionary(items.map { ($0.id, $0) }) { $1 }))
        self.now = now
    }

    package func changes() -> AsyncStream<FeedChange> {
        let (changes, news) = AsyncStream.makeStream(of: FeedChange.self)
        state.withLock { state in
            state.news = news
            news.yield(.all(Array(state.items.values)))
        }
        return changes
    }

    package func perform(_ control: Control, on id: String) async -> ControlAnswer {
        let now = now()
        return state.withLock { state in
            guard let old = state.items[id]?.at(now) else { return .init(id: id, refusal: "there is no '\(id)'") }
            guard let new = Self.after(control, old) else {
                return .init(id: id, refusal: "'\(control.verb.rawValue)' does not fit")
            }
            state.items[id] = new
            state.news?.yield(.changed(new))
            return .init(new, after: control.verb)
        }
    }

    private static func after(_ control: Control, _ old: Item) -> Item? {
        var item = old
        switch (control, old.state) {
        case (.pause, .running): item.state = .paused
        case (.resume, .paused), (.start(nil), .idle), (.start(nil), .paused):
            item.state = .running
            item.remaining = old.remaining ?? old.total
        case (.start(let adding?), .running): item.remaining = old.remaining.map { $0 + adding }
        case (.lap, .running) where old.kind == .stopwatch:
            let (laps, total) = (old.laps ?? [], old.elapsed ?? .zero)
            let length = total - (laps.first?.total ?? .zero)
            item.laps = [.init(number: laps.count + 1, length: length, total: total)] + laps
        default: return nil
        }
        return item
    }
}
