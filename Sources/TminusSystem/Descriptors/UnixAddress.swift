internal import Glibc

/// The address of a Unix-domain socket (unix(7)).
struct UnixAddress: Sendable {
    /// The longest name on Linux, in bytes: `sun_path` without a NUL.
    static let longestName = 107

    /// The content of `sun_path`.
    private let name: [UInt8]

    /// The address of a path in the file system; nil if it is empty or longer than ``longestName``.
    init?(path: String) {
        guard !path.isEmpty, path.utf8.count <= Self.longestName else { return nil }
        name = Array(path.utf8) + [0]
    }

    /// The address of an abstract name, which is no file; nil if it is empty or longer than ``longestName``.
    init?(abstract: String) {
        guard !abstract.isEmpty, abstract.utf8.count <= Self.longestName else { return nil }
        name = [0] + Array(abstract.utf8)
    }

    /// Calls `body` with the address and its length in bytes.
    func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // The length ends an abstract name: every byte within it counts.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
