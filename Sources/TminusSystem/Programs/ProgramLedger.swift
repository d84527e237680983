internal import CPlatform
internal import Glibc
internal import Synchronization

/// The running programs, recorded in the file `processes` of a state directory, so that a later process can end those
/// left behind.
///
/// The file has a header with the id of the boot, then a place for each running program. Before the program runs, the
/// child process that becomes it writes the place. When the program has ended, the place is cleared. Both take one
/// pwrite(2). No write waits for the disk, because a power cut also ends the programs.
package final class ProgramLedger: Sendable {
    /// The place of a program in a ledger.
    struct Place: Sendable {
        fileprivate let ledger: ProgramLedger
        fileprivate let number: Int
        private(set) var record: ProgramRecord

        fileprivate init(ledger: ProgramLedger, number: Int, record: ProgramRecord) {
            self.ledger = ledger
            self.number = number
            self.record = record
        }

        /// What the child writes before the program runs.
        var entry: tminus_entry {
            tminus_entry(file: ledger.file.number, offset: Int64(ProgramLedger.offset(of: number)), record: record.raw)
        }

        /// Removes the program from the ledger.
        func clear() { ledger.clear(number) }
    }

    private struct State {
        var free: [Int] = []
        var count = 0
    }

    /// The ledger for programs started by this task and its children; nil if they are not recorded.
    ///
    /// It is a task-local value because sinks are created from files alone and know no state directory.
    @TaskLocal package static var current: ProgramLedger?

    private static let name = "processes"
    private static let magic = "tminus processes 1"
    /// The most programs that are recorded.
    private static let limit = 8_192

    private let file: Descriptor
    private let state = Mutex(State())
    private let boot: String

    /// Opens the ledger of a state directory, which must be locked. Records of an earlier process stay until
    /// ``reset()``.
    package convenience init(directory: String) throws(SystemError) {
        try self.init(path: "\(directory)/\(Self.name)", boot: Self.currentBoot)
    }

    init(path: String, boot: String) throws(SystemError) {
        self.boot = boot
        guard let file = Descriptor(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)) else {
            throw SystemError("\(path): cannot open the list of running programs: \(ErrorText.last)", .ofErrno)
        }
        self.file = file
    }

    /// The id of this boot of the machine (random(4)).
    static var currentBoot: String {
        let bytes = FileBytes.read("/proc/sys/kernel/random/boot_id", limit: 64) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The programs that were recorded and not cleared; none if the machine was rebooted since.
    var records: [ProgramRecord] {
        guard !boot.isEmpty else { return [] }
        let size = ProgramRecord.size
        let bytes = [UInt8](unsafeUninitializedCapacity: size * (Self.limit + 1)) { buffer, count in
            count = max(0, pread(file.number, buffer.baseAddress, buffer.count, 0))
        }
        guard bytes.starts(with: header) else { return [] }
        return bytes.withUnsafeBytes { bytes in
            stride(from: size, through: bytes.count - size, by: size).compactMap {
                ProgramRecord(bytes.loadUnaligned(fromByteOffset: $0, as: tminus_record.self))
            }
        }
    }

    /// Forgets all programs of an earlier process.
    package func reset() {
        ftruncate(file.number, 0)
        pwrite(file.number, header, header.count, 0)
    }

    /// A place for a program that is about to start; nil if the ledger is full.
    func place(for record: ProgramRecord) -> Place? {
        let number: Int? = state.withLock { state in
            if let number = state.free.popLast() { return number }
            guard state.count < Self.limit else { return nil }
            defer { state.count += 1 }
            return state.count
        }
        return number.map { Place(ledger: self, number: $0, record: record) }
    }

    private func clear(_ number: Int) {
        var nobody = tminus_record()
        pwrite(file.number, &nobody, ProgramRecord.size, Self.offset(of: number))
        state.withLock { $0.free.append(number) }
    }

    private var header: [UInt8] {
        let text = Array("\(Self.magic) \(boot)".utf8).prefix(ProgramRecord.size - 1)
        return text + [UInt8](repeating: 0, count: ProgramRecord.size - text.count)
    }

    private static func offset(of number: Int) -> off_t { off_t(ProgramRecord.size * (number + 1)) }
}
