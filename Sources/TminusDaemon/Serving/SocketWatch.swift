internal import Synchronization
internal import TminusSystem

/// Looks whether the control socket is still where it was made, whenever somebody is awake anyway.
final class SocketWatch: Sendable {
    /// An element when it is not. One reader.
    let losses: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let file = Mutex<ControlSocketFile.Identity?>(nil)

    /// A watch over nothing yet.
    init() {
        (losses, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes note that the socket was made at `path`.
    func made(at path: String) {
        file.withLock { $0 = ControlSocketFile.Identity(of: path) }
    }

    /// Whether the socket that was made last is gone from its path.
    var isLost: Bool { file.withLock { file in file.map { !$0.isInPlace } ?? false } }

    /// Looks. Takes one call of lstat(2).
    func look() {
        if isLost { tell.yield() }
    }
}
