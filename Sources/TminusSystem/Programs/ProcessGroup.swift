internal import Glibc

/// The processes that a program has started and that stayed in its group.
struct ProcessGroup: Sendable {
    /// The id of the group, which is that of its leading process.
    let id: pid_t

    /// Sends a signal to all of them.
    func send(_ signal: CInt) {
        // 0 and 1 would mean the own group and all processes (kill(2)).
        guard id > 1 else { return }
        kill(-id, signal)
    }

    /// Whether a member is alive. A dead leader that is not reaped yet does not count (proc_pid_stat(5): state, group).
    func hasLivingMember() -> Bool {
        guard let directory = opendir("/proc") else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let process = pid_t(name), process > 0, let stat = Self.stat(of: process) else { continue }
            if stat.group == id && stat.state != "Z" && stat.state != "X" { return true }
        }
        return false
    }

    private static func stat(of process: pid_t) -> (state: String, group: pid_t)? {
        let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        // The name is in parentheses and may hold anything, so the fields are counted from the last parenthesis.
        guard let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = buffer[(end + 1)..<count].split(separator: UInt8(ascii: " ")).prefix(3)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 3, let group = pid_t(fields[2]) else { return nil }
        return (fields[0], group)
    }
}
