internal import NIOCore
internal import Synchronization

/// The open connections of a server, so that its end can close them.
final class Connections: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// The number of open connections.
    var count: Int { state.withLock { $0.open.count } }

    /// Registers a connection. It is closed at once after ``close()``.
    func opened(_ channel: any Channel) {
        let isOver = state.withLock { state in
            state.open[ObjectIdentifier(channel)] = channel
            return state.isOver
        }
        if isOver { channel.close(promise: nil) }
    }

    /// Forgets a connection that is closed.
    func closed(_ channel: any Channel) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Closes all connections, even during a write, and those that open from now on.
    func close() {
        let open = state.withLock { state in
            state.isOver = true
            return Array(state.open.values)
        }
        for channel in open { channel.close(promise: nil) }
    }
}
