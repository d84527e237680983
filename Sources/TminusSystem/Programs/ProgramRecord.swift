internal import CPlatform
internal import Glibc

/// The ledger's entry for one program: enough to recognize its processes later without mistaking others for them.
struct ProgramRecord: Sendable {
    /// The environment variable with a number that is unique to one start.
    static let variable = "TMINUS_RUN"
    /// Its size in a file.
    static let size = MemoryLayout<tminus_record>.size
    /// The length of a clock tick of proc_pid_stat(5), in nanoseconds.
    private static let tick = 1_000_000_000 / Int64(max(1, sysconf(CInt(_SC_CLK_TCK))))

    private(set) var raw: tminus_record

    /// The record of a program that is not started yet.
    init(label: String, killAfter: Duration) {
        raw = tminus_record()
        raw.token = UInt64.random(in: 1 ... .max)
        raw.patience = Int32(clamping: killAfter.components.seconds * 1_000)
        withUnsafeMutableBytes(of: &raw.label) { $0.copyBytes(from: label.utf8.prefix($0.count)) }
    }

    /// A record from a file; nil if the place is empty.
    init?(_ raw: tminus_record) {
        guard raw.group > 1, raw.token != 0, raw.earliest >= 0, raw.latest >= raw.earliest else { return nil }
        self.raw = raw
    }

    /// The id of its process and of its group.
    var group: pid_t { raw.group }
    /// How long it may take to end after TERM.
    var killAfter: Duration { .milliseconds(max(0, raw.patience)) }
    /// The purpose that it was started for.
    var label: String {
        withUnsafeBytes(of: raw.label) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
    /// The value of ``variable``.
    var token: String { String(raw.token, radix: 16) }

    /// Whether the process is the one that was started: it leads the group and started when the record says.
    func isLeader(_ process: ProcessStat) -> Bool {
        process.id == group && process.group == group
            && (raw.earliest / Self.tick...raw.latest / Self.tick).contains(process.start)
    }

    /// Whether the process was started by the program: it has the variable of the start.
    func isHeir(_ process: ProcessStat) -> Bool {
        // execve(2), "Limits on size of arguments and environment".
        guard let variables = FileBytes.read("/proc/\(process.id)/environ", limit: 8 << 20) else { return false }
        let wanted = Array("\(Self.variable)=\(token)".utf8)
        return variables.split(separator: 0).contains { $0.elementsEqual(wanted) }
    }
}
