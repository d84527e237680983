package import TminusCore

/// How the live view ended.
package enum WatchEnd: Sendable, Hashable {
    /// The user quit, or the terminal went away.
    case quit
    /// This signal ended it.
    case signal(Int32)
}

/// The live view on this process's terminal.
package enum WatchSession {
    /// Shows the items of a feed until the user quits; with `id`, starts with that item enlarged. Restores the terminal
    /// before it returns.
    package static func run(
        feed: any ItemFeed, id: String?, style: Style, zones: any ZoneDatabase, now: @escaping @Sendable () -> Timestamp
    ) async throws(TerminalError) -> WatchEnd {
        let inbox = try Inbox()
        let view = WatchView(style: style, zones: zones)
        let (controls, control) = AsyncStream.makeStream(of: (String, Control).self)
        let result: Result<WatchEnd, TerminalError> = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in feed.changes() { inbox.post(.feed(change)) }
                inbox.post(.feed(.lost("lost the connection to the daemon")))
            }
            // Controls run one at a time, in the order of the key presses.
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
