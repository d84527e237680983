internal import TminusControl
internal import TminusCore
internal import TminusDaemon
internal import TminusTerminal

/// Feeds the live view with the daemon's event stream and reconnects whenever the stream ends.
struct DaemonFeed: ItemFeed {
    /// The `--socket` option. The path is resolved on each connect, because a restarted daemon may use another socket.
    let socket: String?
    /// The `--state` option.
    let state: String?

    /// The delay before a reconnect.
    private static let pause: Duration = .seconds(1)

    func changes() -> AsyncStream<FeedChange> {
        let (changes, news) = AsyncStream.makeStream(of: FeedChange.self)
        let reading = Task {
            while !Task.isCancelled {
                do {
                    try await read(news)
                    news.yield(.lost("the daemon closed the connection; reconnecting"))
                } catch {
                    news.yield(.lost("\(error)"))
                }
                try? await Task.sleep(for: Self.pause)
            }
            news.finish()
        }
        news.onTermination = { _ in reading.cancel() }
        return changes
    }

    /// Forwards one stream until it ends. Each stream begins with a full snapshot, so a reconnect misses nothing.
    private func read(_ news: AsyncStream<FeedChange>.Continuation) async throws {
        try await ControlClient.connected(to: path) { client in
            for try await (_, event) in client.events() {
                switch event {
                case .snapshot(let list):
                    news.yield(.all(list.items))
                    for item in list.unreadable { news.yield(.unreadable(id: item.id, item.text)) }
                case .item(let item): news.yield(.changed(item))
                case .unreadable(let item): news.yield(.unreadable(id: item.id, item.text))
                case .problems(let lines): news.yield(.problems(lines))
                case .removed(let id): news.yield(.gone(id))
                }
            }
        }
    }

    func perform(_ control: Control, on id: String) async -> ControlAnswer {
        do {
            let body = Self.body(control)
            let item = try await ControlClient.connected(to: path) { try await $0.perform(control.verb, id, body) }
            return ControlAnswer(item, after: control.verb)
        } catch {
            return ControlAnswer(id: id, refusal: "\(error)")
        }
    }

    private var path: String {
        get throws { try ControlSocketPath.ofDaemon(socket: socket, state: state) }
    }

    private static func body(_ control: Control) -> ControlBody {
        switch control {
        case .start(let adding): ControlBody(add: adding.map(words))
        case .snooze(let length): ControlBody(length: words(length))
        case .mute(let until): ControlBody(until: until.rfc3339)
        case .pause, .resume, .stop, .reset, .lap, .skip, .unmute: ControlBody()
        }
    }

    private static func words(_ length: Duration) -> String { "\(length.components.seconds)s" }
}
