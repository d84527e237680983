package import TminusCore

/// How the live view ended.
package enum WatchEnd: Sendable, Hashable {
    /// By its user, or with its terminal.
    case quit
    /// By that signal.
    case signal(Int32)
}

/// The live view on the terminal of this process.
package enum WatchSession {
    /// Shows the items of a feed until the user leaves; with `id`, begins with that one alone. The terminal is as before when it
    /// returns.
    package static func run(
        feed: any ItemFeed, id: String?, style: Style, zones: any ZoneDatabase, now: @escaping @Sendable () -> Timestamp
    ) async throws(TerminalError) -> WatchEnd {
        let inbox = try Inbox()
        let view = WatchView(style: style, zones: zones)
        let (controls, control) = AsyncStream.makeStream(of: (String, Control).self)
        let result: Result<WatchEnd, TerminalError> = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in feed.changes() { inbox.post(.feed(change)) }
                inbox.post(.feed(.lost("the connection to the daemon has ended")))
            }
            // One after the other: what was pressed first is done first.
            group.addTask {
                for await (id, control) in controls { inbox.post(.answer(await feed.perform(control, on: id))) }
            }
            let result: Result<WatchEnd, TerminalError>
            do throws(TerminalError) {
                result = .success(
                    try await BlockingThread.run { () throws(TerminalError) in
                        let terminal = try RawTerminal.open()
                        let signals = try SignalPipe()
                        return ScreenLoop(
                            terminal: terminal, signals: signals, inbox: inbox, id: id, view: view, now: now,
                            perform: { control.yield(($0, $1)) }
                        ).run()
                    })
            } catch {
                result = .failure(error)
            }
            control.finish()
            group.cancelAll()
            return result
        }
        return try result.get()
    }
}
