internal import CPlatform
internal import Glibc
internal import Synchronization

/// The programs that run, in the file `processes` of a state directory, so that a later process can end what is left of them.
///
/// The file has a header with the id of the boot, then a place for each program that runs. A place is written before its program runs,
/// by the process that becomes it, and cleared when the program has ended: one pwrite(2) each. Nothing waits for the disk, because a power
/// cut ends the programs as well.
package final class ProgramLedger: Sendable {
    /// A place that a program has in a ledger.
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

        /// Takes the program out of the ledger.
        func clear() { ledger.clear(number) }
    }

    private struct State {
        var free: [Int] = []
        var count = 0
    }

    /// The ledger for the programs that this task and its children start; nil: they are not recorded.
    ///
    /// Sinks are made from files alone and know no state directory, so it comes to them with the task that delivers.
    @TaskLocal package static var current: ProgramLedger?

    private static let name = "processes"
    private static let magic = "tminus processes 1"
    /// More programs than this are not recorded.
    private static let limit = 8_192

    private let file: Descriptor
    private let state = Mutex(State())
    private let boot: String

    /// Opens the ledger of a state directory, which must be locked. What a former process recorded stays until ``reset()``.
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

    /// The programs that were recorded and not cleared; none if the machine was started since.
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

    /// Forgets all programs of a former process.
    package func reset() {
        ftruncate(file.number, 0)
        pwrite(file.number, header, header.count, 0)
    }

    /// A place for a program that is about to start; nil if there are too many.
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
