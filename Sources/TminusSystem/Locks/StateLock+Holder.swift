internal import Glibc

extension StateLock {
    /// A process that holds a lock.
    package struct Holder: Sendable, Hashable {
        /// Its process id.
        package let process: Int
        /// Its control socket; nil while there is none yet.
        package let socket: String?
        /// Whether it is stopping and takes no more requests.
        package let isStopping: Bool
        /// What it knows while it stands by; nil if it does not.
        package let standby: Standby?
    }

    /// The process that holds the lock of `directory`; nil if there is none or it cannot be determined.
    ///
    /// Reads the kernel's list of locks (proc_locks(5)) instead of trying the lock: a try would hold the lock for a
    /// moment, and a daemon that starts in that moment would fail.
    package static func holder(of directory: String) -> Holder? {
        let path = "\(directory)/tminus.lock"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let text = read(path, limit: 4_096)
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let process = Int(lines[0]) else { return nil }
        // `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`
        let isHeld = read("/proc/locks", limit: 1 << 24)?.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 5 && words[1] == "FLOCK" && Int(words[4]) == process
                && words[5].hasSuffix(":\(status.st_ino)")
        }
        guard isHeld == true else { return nil }
        return Holder(
            process: process, socket: lines.count > 2 && lines[1].hasPrefix("/") ? String(lines[1]) : nil,
            isStopping: lines.count > 3 && lines[2] == Record.stopping, standby: standby(lines))
    }

    private static func standby(_ lines: [Substring]) -> Standby? {
        guard lines.count > 5, lines[2] == Record.standsBy else { return nil }
        func text(_ line: Substring) -> String? { line.isEmpty ? nil : String(line) }
        return Standby(leader: text(lines[3]), problem: text(lines[4]), config: text(lines[5]))
    }

    private static func read(_ path: String, limit: Int) -> String? {
        FileBytes.read(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }
}
