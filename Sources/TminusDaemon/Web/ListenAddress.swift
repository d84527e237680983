internal import NIOCore

/// An address at which the daemon serves HTTP: an IP address and a port.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The IP address, without brackets.
    package let host: String
    /// The port, from 0 to 65535; with 0 the kernel chooses one.
    package let port: Int

    /// The address of a text such as `127.0.0.1:9108`, `[::1]:9108` or `localhost:9108`; nil if it is none.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...].utf8
        guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(text[text.index(after: colon)...]), port <= 65_535
        else { return nil }
        self.port = port
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
        self.host = host
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { IPLiteral.isLoopback(host) }

    /// Whether it stands for all addresses of this machine.
    var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// The same address with the port that the kernel chose.
    func bound(to port: Int) -> ListenAddress { ListenAddress(host: host, port: port) }

    private init(host: String, port: Int) {
        (self.host, self.port) = (host, port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// IP addresses as text (inet_pton(3)).
enum IPLiteral {
    /// Whether a text is an IPv4 or IPv6 address, without brackets.
    static func isValid(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }

    /// An IPv4 address, or the first 64 bits of an IPv6 address.
    static func network(of text: String) -> String {
        guard case .v6(let address)? = try? SocketAddress(ipAddress: text, port: 0) else { return text }
        let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        // An IPv4 address in the form of IPv6 (RFC 4291, section 2.5.5.2).
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes.dropFirst(10).prefix(2).allSatisfy { $0 == 0xFF }
        return isMapped ? text : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// Whether an address, without brackets, is one by which this machine reaches itself (RFC 1122, section 3.2.1.3; RFC 4291, sections
    /// 2.5.3 and 2.5.5.2).
    static func isLoopback(_ text: String) -> Bool {
        let mapped = "::ffff:"
        let text = text.hasPrefix(mapped) ? text.dropFirst(mapped.count) : text[...]
        return text == "::1" || (text.hasPrefix("127.") && !text.contains(":"))
    }
}
