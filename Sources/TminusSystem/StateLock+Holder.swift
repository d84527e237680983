internal import Glibc

extension StateLock {
    /// The process that holds the lock of `directory`; nil if none does, or it cannot be known.
    ///
    /// Looks at the list of locks (proc_locks(5)) and takes none: a daemon that starts meanwhile would find it taken.
    package static func holder(of directory: String) -> Int? {
        let path = "\(directory)/tminus.lock"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let text = read(path, limit: 32),
            let holder = Int(text.prefix { $0.isASCII && $0.isNumber })
        else { return nil }
        // `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`
        let isHeld = read("/proc/locks", limit: 1 << 20)?.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 5 && words[1] == "FLOCK" && Int(words[4]) == holder
                && words[5].hasSuffix(":\(status.st_ino)")
        }
        return isHeld == true ? holder : nil
    }

    private static func read(_ path: String, limit: Int) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { _ = Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
