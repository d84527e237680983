internal import Glibc

/// The socket on which the service manager takes datagrams of its services (sd_notify(3)).
package final class NotifySocket: Sendable {
    /// The result of sending a datagram.
    package enum Result: Sendable, Hashable {
        /// The service manager has it.
        case sent
        /// The service manager has not read the earlier ones yet; try again.
        case full
        /// It cannot be sent, for this reason.
        case failed(String)
    }

    private let socket: Descriptor
    private let address: UnixAddress

    /// The socket at a path, or with the abstract name after `@`.
    ///
    /// - Throws: `SystemError` if the name is neither, or if no descriptor is left.
    package init(_ name: String) throws(SystemError) {
        let address: UnixAddress? =
            switch name.first {
            case "/": UnixAddress(path: name)
            case "@": UnixAddress(abstract: String(name.dropFirst()))
            default: nil
            }
        guard let address else {
            throw SystemError("expected a path or '@' and a name, of at most \(UnixAddress.longestName) bytes", .io)
        }
        let number = Glibc.socket(
            AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard let socket = Descriptor(number) else { throw SystemError(ErrorText.last, .io) }
        self.socket = socket
        self.address = address
    }

    /// Sends one datagram; never blocks.
    package func send(_ text: String) -> Result {
        let bytes = Array(text.utf8)
        // Not connected, so that the socket is found again after the service manager has made it anew.
        let count = address.with { pointer, length in
            sendto(socket.number, bytes, bytes.count, CInt(MSG_NOSIGNAL), pointer, length)
        }
        if count == bytes.count { return .sent }
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? .full : .failed(ErrorText.last)
    }
}
