internal import Glibc

/// Limits of the kernel that a daemon can reach.
package enum SystemLimits {
    /// A limit with the name by which sysctl(8) sets it.
    package struct Setting: Sendable, Hashable {
        /// The name, such as `fs.inotify.max_user_watches`.
        package var name: String
        /// The value in force.
        package var value: Int

        /// The given limit.
        package init(_ name: String, _ value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// How many directories the processes of a user may watch together (inotify(7)); nil if it is hidden.
    package static var watches: Setting? { inotify("watches") }

    /// How many instances of inotify the processes of a user may have together; nil if it is hidden.
    package static var instances: Setting? { inotify("instances") }

    /// A user namespace has a limit of its own beside that of the machine. The narrower one is in force.
    private static func inotify(_ what: String) -> Setting? {
        [
            ("fs.inotify.max_user_\(what)", "fs/inotify/max_user_\(what)"),
            ("user.max_inotify_\(what)", "user/max_inotify_\(what)"),
        ]
        .compactMap { name, path in number("/proc/sys/\(path)").map { Setting(name, $0) } }
        .min { $0.value < $1.value }
    }

    /// How many descriptors a process can have open at most: its hard limit, which the daemon makes its own
    /// (proc(5), /proc/PID/limits). Nil if it is hidden.
    package static func descriptors(of process: Int32) -> Int? {
        FileBytes.read("/proc/\(process)/limits", limit: 65_536).flatMap(descriptors(in:))
    }

    /// The hard limit in a text such as `Max open files  1024  4096  files`; `unlimited` is the largest number.
    static func descriptors(in limits: [UInt8]) -> Int? {
        for line in limits.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.starts(with: ["Max", "open", "files"]), let hard = words.dropFirst(4).first else {
                continue
            }
            return hard == "unlimited" ? .max : Int(hard)
        }
        return nil
    }

    private static func number(_ path: String) -> Int? {
        let text = FileBytes.read(path, limit: 64).map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
        return text.flatMap { Int($0) }
    }
}
