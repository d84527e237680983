/// The names by which this daemon may be addressed: protection against DNS rebinding.
///
/// A web page of a stranger can have its own name resolve to this machine, and its requests then count as requests to
/// its own site. They differ from others only in the header `Host`. An IP address in that header cannot come from a
/// name, so it is accepted, as are the names of this machine for itself.
package struct HostNames: Sendable, Hashable {
    private let known: Set<String>
    /// The name that was given first; nil if none was.
    package let first: String?

    /// The names of this machine for itself only.
    package init() { (known, first) = ([], nil) }

    /// Those and `names`, in any case. Nil if one of them is no host name.
    package init?(_ names: [String]) {
        var known: Set<String> = []
        for name in names {
            guard let normal = Self.normal(name[...]) else { return nil }
            known.insert(normal)
        }
        self.known = known
        first = names.first
    }

    /// What follows from a `Host` header.
    enum Verdict: Sendable, Hashable {
        /// The request is for this daemon.
        case known
        /// The name is not known here.
        case unknown(String)
        /// The header is missing or has no valid form (RFC 9110, section 7.2).
        case invalid
    }

    /// Judges the value of the header `Host`.
    func judge(_ header: String?) -> Verdict {
        guard let header, let host = Self.host(of: header) else { return .invalid }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return IPLiteral.isValid(String(host.dropFirst().dropLast())) ? .known : .invalid
        }
        if IPLiteral.isValid(String(host)) { return .known }
        guard let name = Self.normal(host) else { return .invalid }
        return name == "localhost" || name.hasSuffix(".localhost") || known.contains(name) ? .known : .unknown(name)
    }

    /// The header without its port; nil if the port is none.
    private static func host(of header: String) -> Substring? {
        let end = header.hasPrefix("[") ? header.firstIndex(of: "]").map { header.index(after: $0) } : nil
        guard let end = end ?? header.firstIndex(of: ":") ?? (header.isEmpty ? nil : header.endIndex) else {
            return nil
        }
        let port = header[end...].utf8
        guard port.isEmpty || port.first == 0x3A && port.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return header[..<end]
    }

    /// A name in lower case without the dot of the root; nil if it has other characters than those of host names.
    private static func normal(_ name: Substring) -> String? {
        let name = name.hasSuffix(".") ? name.dropLast() : name
        let isName = { (byte: UInt8) in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy(isName), !name.hasPrefix("."),
            !name.contains("..")
        else { return nil }
        return name.lowercased()
    }
}
