internal import CPlatform
internal import Glibc

/// What a ledger keeps of one program: enough to recognize its processes later, and never to take others for them.
struct ProgramRecord: Sendable {
    /// The variable whose value is a number that no other start has.
    static let variable = "TMINUS_RUN"
    /// Its size in a file.
    static let size = MemoryLayout<tminus_record>.size
    /// The clock ticks of proc_pid_stat(5).
    private static let tick = 1_000_000_000 / Int64(max(1, sysconf(CInt(_SC_CLK_TCK))))

    private(set) var raw: tminus_record

    /// The record of a program that is not started yet.
    init(label: String, killAfter: Duration) {
        raw = tminus_record()
        raw.token = UInt64.random(in: 1 ... .max)
        raw.patience = Int32(clamping: killAfter.components.seconds * 1_000)
        withUnsafeMutableBytes(of: &raw.label) { $0.copyBytes(from: label.utf8.prefix($0.count)) }
    }

    /// A record that was read; nil if it is of no program.
    init?(_ raw: tminus_record) {
        guard raw.group > 1, raw.token != 0, raw.earliest >= 0, raw.latest >= raw.earliest else { return nil }
        self.raw = raw
    }

    /// The id of its process and of its group.
    var group: pid_t { raw.group }
    /// How long it may take to end after TERM.
    var killAfter: Duration { .milliseconds(max(0, raw.patience)) }
    /// What it was started for.
    var label: String {
        withUnsafeBytes(of: raw.label) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
    /// The value of ``variable``.
    var token: String { String(raw.token, radix: 16) }

    /// Whether the process is the one that was started: it leads the group and began when the record says.
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
