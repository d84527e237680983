internal import NIOCore
internal import TminusSystem

/// The user at the other end of a connection, as reported by the kernel (SO_PEERCRED, unix(7)).
struct Peer: Sendable {
    /// The user id.
    let userID: UInt32

    /// SO_PEERCRED on Linux. Swift's Glibc module has neither it nor `struct ucred`.
    private static let credentialsOption: CInt = 17

    /// The layout of `struct ucred`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Reads the peer of a connection. Throws if the kernel does not report it.
    init(of channel: any Channel) async throws {
        guard let provider = channel as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
        let credentials: Credentials = try await provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: Self.credentialsOption)
        ).get()
        userID = credentials.user
    }

    /// Whether the peer may use the control socket: the daemon's user and root may.
    var isTrusted: Bool { userID == 0 || userID == UserName.ownID }

    /// The user name.
    var name: String { UserName.of(userID) }
}
