internal import Glibc

/// The names of the users of this machine.
package enum UserName {
    /// The name of a user, or `user 1000` if the user database has none. Reads that database, so it may block.
    package static func of(_ id: UInt32) -> String { name(id) ?? "user \(id)" }

    /// The name of a user, or `#1000` if the user database has none, as sudo(8) takes it.
    package static func argument(of id: UInt32) -> String { name(id) ?? "'#\(id)'" }

    private static func name(_ id: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            var entry = passwd()
            return withUnsafeMutablePointer(to: &entry) { entry in
                var found: UnsafeMutablePointer<passwd>?
                guard let start = buffer.baseAddress, getpwuid_r(id, entry, start, buffer.count, &found) == 0,
                    found != nil, let name = entry.pointee.pw_name
                else { return nil }
                return String(cString: name)
            }
        }
    }

    /// The id of the user of this process.
    package static var ownID: UInt32 { geteuid() }
}
