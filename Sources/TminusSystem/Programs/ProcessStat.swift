internal import Glibc

/// The state of a process as the kernel reports it (proc_pid_stat(5)).
struct ProcessStat: Hashable {
    /// Its id.
    let id: pid_t
    /// The id of its group.
    let group: pid_t
    /// When it started, in clock ticks since the boot. Together with the id this is unique within one boot.
    let start: Int64
    /// Whether it runs. A process that has ended but is not reaped yet does not.
    let isAlive: Bool

    /// Reads the state of a process; nil if there is none with that id.
    init?(of process: pid_t) {
        guard let bytes = FileBytes.read("/proc/\(process)/stat", limit: 4_096) else { return nil }
        self.init(process, bytes)
    }

    /// Parses the content of a `stat` file.
    init?(_ process: pid_t, _ bytes: [UInt8]) {
        // The name is in parentheses and may hold anything, so the fields are counted from the last parenthesis, the
        // third first.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 20).prefix(20)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count > 19, let group = pid_t(fields[2]), let start = Int64(fields[19]) else { return nil }
        id = process
        self.group = group
        self.start = start
        isAlive = fields[0] != "Z" && fields[0] != "X"
    }

    /// Calls `body` with each living process until it returns false.
    static func forEachAlive(_ body: (ProcessStat) -> Bool) {
        guard let directory = opendir("/proc") else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let process = pid_t(name), process > 0, let stat = ProcessStat(of: process), stat.isAlive else {
                continue
            }
            guard body(stat) else { return }
        }
    }
}
