internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import TminusSystem

/// Finds out before anything else starts whether the addresses can be used.
enum ListenCheck {
    /// Opens and closes each address.
    ///
    /// - Throws: ``DaemonError`` that names the address and what to do.
    static func run(_ addresses: [ListenAddress]) async throws {
        for address in addresses {
            guard case .tcp(let host, let port) = address.place else { continue }
            do {
                let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .bind(host: host, port: port).get()
                try await channel.close()
            } catch let error as IOError {
                throw failure(address, error.errnoCode)
            }
        }
    }

    /// The error of an address that cannot be used, from the `errno` of bind(2) or listen(2).
    static func failure(_ address: ListenAddress, _ code: CInt) -> DaemonError {
        let place = "--listen \(address)"
        return switch code {
        case EADDRINUSE:
            DaemonError(.inputOutput, "\(place): another program has the port; choose another one or stop that program")
        case EADDRNOTAVAIL: DaemonError(.usage, "\(place): this machine has no such address")
        case EACCES, EPERM:
            DaemonError(.permission, "\(place): permission denied; ports below 1024 are for root: choose another one")
        default: DaemonError(.inputOutput, "\(place): \(ErrorText.of(code))")
        }
    }
}
