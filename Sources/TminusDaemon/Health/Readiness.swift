internal import Synchronization

/// Why no work can be sent to the daemon.
enum Unreadiness: String, Sendable, Hashable, CaseIterable {
    /// The directory was not taken in yet, or the control socket is not open yet.
    case starting
    /// It stops.
    case stopping
    /// The store cannot be written, for example because the disk is full or another machine may lead.
    case store
    /// The control socket is gone from its path; the daemon makes another one soon.
    case socket
}

/// Whether work can be sent to the daemon, for `/readyz`. Broken files, dead deliveries and mutes do not matter.
///
/// Recovery is over and the lock of the state directory is held before any request is answered.
final class Readiness: Sendable {
    private struct State {
        var isServing = false
        var isStopping = false
    }

    private let status: StatusPublisher
    private let socket: SocketWatch
    private let leads: @Sendable () -> Bool
    private let state = Mutex(State())

    /// The readiness of a daemon that starts.
    ///
    /// - Parameter leads: Whether no other machine may have taken the store over.
    init(status: StatusPublisher, socket: SocketWatch, leads: @escaping @Sendable () -> Bool = { true }) {
        self.status = status
        self.socket = socket
        self.leads = leads
    }

    /// The control socket takes requests.
    func serving() { state.withLock { $0.isServing = true } }

    /// The daemon stops.
    func stopping() { state.withLock { $0.isStopping = true } }

    /// What is missing; empty if the daemon is ready.
    var missing: [Unreadiness] {
        let state = state.withLock(\.self)
        return Self.missing(
            isServing: state.isServing, isStopping: state.isStopping,
            isTakenIn: status.inForce.generation > 0, isWritable: status.refusal == nil && leads(),
            isSocketLost: socket.isLost)
    }

    /// What is missing, from what is known of each part. A daemon that stops is nothing else.
    static func missing(
        isServing: Bool, isStopping: Bool, isTakenIn: Bool, isWritable: Bool, isSocketLost: Bool
    ) -> [Unreadiness] {
        if isStopping { return [.stopping] }
        var missing: [Unreadiness] = []
        if !isServing || !isTakenIn { missing.append(.starting) }
        if !isWritable { missing.append(.store) }
        if isServing, isSocketLost { missing.append(.socket) }
        return missing
    }
}
