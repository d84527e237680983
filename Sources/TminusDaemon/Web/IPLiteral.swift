internal import Glibc

/// IP addresses as text (inet_pton(3)), without brackets.
enum IPLiteral {
    /// Whether a text is an IPv4 or IPv6 address.
    static func isValid(_ text: String) -> Bool { bytes(of: text) != nil }

    /// The 4 or 16 bytes of an address; nil if it is none. An IPv4 address in the form of IPv6 (RFC 4291, section 2.5.5.2) has 4.
    static func bytes(of text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &bytes) == 1 { return bytes }
        bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        return bytes.starts(with: mapped) ? Array(bytes.dropFirst(mapped.count)) : bytes
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// Whether an address is one by which this machine reaches itself (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    static func isLoopback(_ text: String) -> Bool {
        guard let bytes = bytes(of: text) else { return false }
        return bytes.count == 4 ? bytes.first == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// An IPv4 address, or the first 64 bits of an IPv6 address.
    static func network(of text: String) -> String {
        guard let bytes = bytes(of: text) else { return text }
        return bytes.prefix(bytes.count == 4 ? 4 : 8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}

/// The addresses that begin with the same bits (RFC 4632): `10.0.0.0/8`.
package struct AddressRange: Sendable, Hashable {
    private let start: [UInt8]
    private let bits: Int

    /// The range of a text such as `10.0.0.0/8`, `fd00::/8` or `192.0.2.1`; nil if it is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let start = IPLiteral.bytes(of: String(parts.first ?? "")) else { return nil }
        let most = start.count * 8
        let digits = parts.dropFirst().first
        guard digits?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ?? true,
            let bits = digits.map({ Int($0) }) ?? most, (0...most).contains(bits)
        else { return nil }
        self.start = start
        self.bits = bits
    }

    /// Whether an address is in it.
    func contains(_ address: String) -> Bool {
        guard let bytes = IPLiteral.bytes(of: address), bytes.count == start.count else { return false }
        for (index, pair) in zip(bytes, start).enumerated() {
            let rest = max(0, min(8, bits - index * 8))
            // Of the byte in which the range ends only the upper bits count.
            if (pair.0 ^ pair.1) >> UInt8(8 - rest) != 0 { return false }
        }
        return true
    }
}
