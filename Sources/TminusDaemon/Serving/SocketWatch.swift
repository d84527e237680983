internal import Synchronization
internal import TminusSystem

/// Checks whether the control socket still exists at its path. Called when the daemon is awake anyway, so it costs no
/// wake-up.
final class SocketWatch: Sendable {
    /// Yields an element when the socket is gone. Supports one reader.
    let losses: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let socket = Mutex<(path: String, identity: FileIdentity)?>(nil)

    /// Creates a watch without a socket.
    init() {
        (losses, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Records that the socket was created at `path`.
    func made(at path: String) {
        socket.withLock { $0 = FileIdentity(path, followsLinks: false).map { (path, $0) } }
    }

    /// Whether the most recent socket is gone from its path.
    var isLost: Bool {
        guard let socket = socket.withLock(\.self) else { return false }
        return FileIdentity(socket.path, followsLinks: false) != socket.identity
    }

    /// Checks once, with one lstat(2) call.
    func look() {
        if isLost { tell.yield() }
    }
}
