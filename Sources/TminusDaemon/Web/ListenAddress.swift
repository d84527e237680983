/// An address at which the daemon serves HTTP: an IP address and a port, or the socket before which a proxy stands.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// What is listened at.
    enum Place: Sendable, Hashable {
        /// An IP address, without brackets, and a port from 0 to 65535; with 0 the kernel chooses one.
        case tcp(host: String, port: Int)
        /// The absolute path of a Unix-domain socket.
        case unix(path: String)
    }

    /// What is listened at.
    let place: Place

    /// The address of a text such as `127.0.0.1:9108`, `[::1]:9108`, `localhost:9108` or `unix:/run/tminus/http.sock`; nil if it is none.
    package init?(_ text: String) {
        let mark = "unix:"
        if text.hasPrefix(mark) {
            let path = String(text.dropFirst(mark.count))
            guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else { return nil }
            place = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...].utf8
        guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(text[text.index(after: colon)...]), port <= 65_535
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        // The name has two addresses; a second option gives the other.
        if host.lowercased() == "localhost" { host = "127.0.0.1" }
        guard IPLiteral.isValid(host) else { return nil }
        place = .tcp(host: host, port: port)
    }

    private init(_ place: Place) { self.place = place }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch place {
        case .tcp(let host, _): IPLiteral.isLoopback(host)
        case .unix: true
        }
    }

    /// The port; nil of a socket in the file system.
    var port: Int? {
        switch place {
        case .tcp(_, let port): port
        case .unix: nil
        }
    }

    /// The same address with the port that the kernel chose.
    func bound(to port: Int?) -> ListenAddress {
        guard case .tcp(let host, _) = place, let port else { return self }
        return ListenAddress(.tcp(host: host, port: port))
    }

    package var description: String {
        switch place {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// The URL of what is served there by `http` or `https`.
    func url(_ scheme: String) -> String {
        switch place {
        case .tcp: "\(scheme)://\(self)"
        case .unix: description
        }
    }

    /// The URL of the page for a person, below a path; nil if there is no telling.
    ///
    /// - Parameter name: The name of this machine for others. It replaces an address that stands for all, and that of a proxy.
    func link(_ name: String?, _ scheme: String, prefix: String) -> String? {
        switch place {
        case .tcp(let host, let port):
            guard host == "0.0.0.0" || host == "::" else { return "\(scheme)://\(self)\(prefix)/" }
            return "\(scheme)://\(name ?? (host.contains(":") ? "[::1]" : "127.0.0.1")):\(port)\(prefix)/"
        case .unix: return name.map { "https://\($0)\(prefix)/" }
        }
    }
}
