import Glibc
import TminusCore

/// A directory with one file for each delivery, which others may take away when they have read it.
///
/// A file is written beside its name, as `.NAME.tmp`, and renamed into place: whoever lists the directory sees whole files
/// only. The name comes from the instant and the id of the delivery, so that another attempt replaces the file of the first one.
final class PayloadDirectory: Sendable {
    private let path: String
    private let isSynced: Bool
    private let queue = BlockingQueue(label: "tminus.webhook-directory")

    /// The directory at an absolute path.
    init(path: String, isSynced: Bool) {
        self.path = path
        self.isSynced = isSynced
    }

    /// The name of a delivery's file: `20261201T080000Z-ID.json`. Sorted by name is sorted by time.
    static func name(of delivery: Delivery) -> String {
        let time = delivery.due.rfc3339.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }
        // Ids of stores are hexadecimal; no other one leads out of the directory.
        let id = delivery.id.rawValue.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
        return "\(time)Z-\(String(id)).json"
    }

    /// Writes the file of a delivery.
    func write(_ bytes: [UInt8], as name: String) async throws(DeliveryError) {
        try await queue.run { [self] ticket in
            do throws(DeliveryError) {
                try write(bytes, as: name, ticket)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    private func write(_ bytes: [UInt8], as name: String, _ ticket: Ticket<Void>) throws(DeliveryError) {
        let place = "\(path)/\(name)"
        let beside = "\(path)/.\(name).tmp"
        // What an attempt that was killed left there goes with this.
        let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
        guard file >= 0 else { throw failure(errno) }
        var number = Self.fill(file, bytes)
        if number == 0, isSynced, fsync(file) != 0 { number = errno }
        // Network file systems and quotas tell of some failures only here (close(2)).
        if close(file) != 0, number == 0 { number = errno }
        guard !ticket.isOver else {
            unlink(beside)
            throw .stopped
        }
        if number == 0, rename(beside, place) != 0 { number = errno }
        guard number == 0 else {
            unlink(beside)
            throw failure(number)
        }
        if isSynced { PayloadPath.sync(directory: path) }
    }

    /// Writes all of `bytes`; returns an error number or 0.
    private static func fill(_ file: CInt, _ bytes: [UInt8]) -> CInt {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            done += count
        }
        return 0
    }

    private func failure(_ number: CInt) -> DeliveryError {
        switch number {
        case ENOENT, ENOTDIR: .transient("the directory '\(path)' does not exist; make it")
        case ENAMETOOLONG: .permanent("'\(path)' cannot be written: \(PlainText.error(number))")
        default: .transient("'\(path)' cannot be written: \(PlainText.error(number))")
        }
    }
}
