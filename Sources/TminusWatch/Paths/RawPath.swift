import Glibc

/// A path or a name as the bytes that the kernel uses. A `String` would repair bytes that are not UTF-8, and the
/// repaired name could not be opened.
struct RawPath: Hashable, Comparable, Sendable {
    /// The bytes without a closing NUL.
    var bytes: [UInt8]

    /// A path of these bytes.
    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// A path of the UTF-8 form of `text`.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The path of the root relative to itself.
    static let empty = RawPath([])

    /// The path of the entry `name` of this directory.
    func appending(_ name: some Collection<UInt8>) -> RawPath {
        if bytes.isEmpty || name.isEmpty { return bytes.isEmpty ? RawPath(name) : self }
        var joined = self
        if joined.bytes.last != UInt8(ascii: "/") { joined.bytes.append(UInt8(ascii: "/")) }
        joined.bytes.append(contentsOf: name)
        return joined
    }

    /// The last component; empty for `/` and the empty path.
    var name: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The path without its last component; `/` for `/`, and the empty path for a single relative name.
    var parent: RawPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .empty }
        return RawPath(slash == 0 ? bytes[...0] : bytes[..<slash])
    }

    /// Whether it is `directory` or lies below it; everything lies below the empty path.
    func isWithin(_ directory: RawPath) -> Bool {
        guard !directory.bytes.isEmpty else { return true }
        guard bytes.starts(with: directory.bytes) else { return false }
        return bytes.count == directory.bytes.count || bytes[directory.bytes.count] == UInt8(ascii: "/")
    }

    /// Calls `body` with the path as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var terminated = ContiguousArray<CChar>()
        terminated.reserveCapacity(bytes.count + 1)
        for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
        terminated.append(0)
        return terminated.withUnsafeBufferPointer { buffer in
            // Never nil, because of the NUL.
            guard let base = buffer.baseAddress else { return "".withCString(body) }
            return body(base)
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension RawPath {
    /// The absolute form of a path from a user, without `.` components and repeated or closing slashes. `..` stays,
    /// because only the kernel knows its meaning after a symbolic link.
    init(absolute text: String) {
        var result: [UInt8] = []
        var pieces = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        if text.utf8.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) {
            defer { free(directory) }
            let current = UnsafeBufferPointer(start: directory, count: strlen(directory)).map(UInt8.init(bitPattern:))
            pieces = current.split(separator: UInt8(ascii: "/")).map(Array.init) + pieces
        }
        for piece in pieces where piece != [UInt8(ascii: ".")] {
            result.append(UInt8(ascii: "/"))
            result.append(contentsOf: piece)
        }
        self.init(result.isEmpty ? [UInt8(ascii: "/")] : result)
    }

    /// The target of this path if it is a symbolic link, even if the target does not exist; nil if it is no link.
    var linkTarget: RawPath? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = withCString { readlink($0, &buffer, buffer.count) }
        guard count > 0 else { return nil }
        let target = buffer.prefix(count)
        return target.first == UInt8(ascii: "/") ? RawPath(target) : parent.appending(target)
    }

    /// The path with all symbolic links resolved; nil if it does not exist.
    var resolved: RawPath? {
        withCString { path in
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return RawPath(UnsafeBufferPointer(start: real, count: strlen(real)).map(UInt8.init(bitPattern:)))
        }
    }
}
