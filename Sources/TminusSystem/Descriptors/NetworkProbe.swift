internal import Glibc

/// Finds out whether a server can be reached: its name has an address, and it takes a TCP connection. Sends nothing.
package enum NetworkProbe {
    /// Why a server cannot be reached.
    package enum Problem: Sendable, Hashable {
        /// The name has no address; the reason of getaddrinfo(3).
        case noAddress(String)
        /// No address takes a connection; the reason of the last one.
        case noConnection(String)
    }

    /// The problem of a server; nil if it takes a connection. Blocks: for each of at most four addresses as long as `limit`, and
    /// for the name as long as the resolver waits (resolv.conf(5)).
    package static func problem(host: String, port: Int, limit: Duration) -> Problem? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        // An address of IPv6 has brackets in a URL.
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, String(port), &hints, &list)
        guard code == 0 else { return .noAddress(gai_strerror(code).map { String(cString: $0) } ?? "error \(code)") }
        defer { freeaddrinfo(list) }
        var (next, last) = (list, "there is no address")
        for _ in 0..<4 {
            guard let address = next?.pointee else { break }
            next = address.ai_next
            let code = connectError(address, limit)
            if code == 0 { return nil }
            last = ErrorText.of(code)
        }
        return .noConnection(last)
    }

    /// Connects and closes the connection. Returns 0 or an `errno`.
    private static func connectError(_ address: addrinfo, _ limit: Duration) -> CInt {
        let flags = address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        guard let connection = Descriptor(socket(address.ai_family, flags, address.ai_protocol)) else { return errno }
        if connect(connection.number, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        let deadline = ContinuousClock.now + limit
        var request = pollfd(fd: connection.number, events: Int16(POLLOUT), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            let ready = poll(&request, 1, left > .zero ? CInt(clamping: left.components.seconds * 1_000 + 1) : 0)
            if ready == 0, left > .zero { continue }
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return ready == 0 ? ETIMEDOUT : errno }
            var code: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            return getsockopt(connection.number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
        }
    }
}
