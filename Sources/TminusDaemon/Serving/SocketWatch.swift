internal import Synchronization
internal import TminusSystem

/// Checks whether the control socket still exists at its path. Called when the daemon is awake anyway, so it costs no
/// wake-up.
final class SocketWatch: Sendable {
    /// Yields an element when the socket is gone. Supports one reader.
    let losses: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let file = Mutex<ControlSocketFile.Identity?>(nil)

    /// Creates a watch without a socket.
    init() {
        (losses, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Records that the socket was created at `path`.
    func made(at path: String) {
        file.withLock { $0 = ControlSocketFile.Identity(of: path) }
    }

    /// Whether the most recent socket is gone from its path.
    var isLost: Bool { file.withLock { file in file.map { !$0.isInPlace } ?? false } }

    /// Checks once, with one lstat(2) call.
    func look() {
        if isLost { tell.yield() }
    }
}
