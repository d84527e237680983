internal import NIOCore
internal import TminusSystem

/// The user at the other end of a connection, as the kernel knows it (SO_PEERCRED of unix(7)).
struct Peer: Sendable {
    /// The user's id.
    let userID: UInt32

    /// The option of Linux, which Swift's module of the C library leaves out together with `struct ucred`.
    private static let credentialsOption: CInt = 17

    /// `struct ucred`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// The peer of a connection. Errors: the kernel does not tell.
    init(of channel: any Channel) async throws {
        guard let provider = channel as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
        let credentials: Credentials = try await provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: Self.credentialsOption)
        ).get()
        userID = credentials.user
    }

    /// Whether it may ask: this user, or the administrator.
    var isTrusted: Bool { userID == 0 || userID == UserName.ownID }

    /// The user's name.
    var name: String { UserName.of(userID) }
}
