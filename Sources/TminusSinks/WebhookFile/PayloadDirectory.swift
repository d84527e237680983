import Glibc
import TminusCore
import TminusSystem

/// A directory with one file for each delivery, which readers may remove.
///
/// A file is written as `.NAME.tmp` and renamed, so that readers see only whole files. Its name is made of the instant and the id of
/// the delivery, so that a second attempt replaces the file of the first one.
final class PayloadDirectory: Sendable {
    private let path: String
    private let isSynced: Bool
    private let queue = BlockingQueue(label: "tminus.webhook-directory")

    /// The directory at an absolute path.
    init(path: String, isSynced: Bool) {
        self.path = path
        self.isSynced = isSynced
    }

    /// The name of a delivery's file: `20261201T080000Z-ID.json`. The order of names is the order of instants.
    static func name(of delivery: Delivery) -> String {
        let time = delivery.due.rfc3339.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }
        // The ids of stores are hexadecimal; no other id may lead out of the directory.
        let id = delivery.id.rawValue.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
        return "\(time)Z-\(String(id)).json"
    }

    /// Writes the file of a delivery.
    func write(_ bytes: [UInt8], as name: String) async throws(DeliveryError) {
        try await queue.run { [self] ticket throws(DeliveryError) in try write(bytes, as: name, ticket) }
    }

    private func write(_ bytes: [UInt8], as name: String, _ ticket: Ticket<Void>) throws(DeliveryError) {
        let place = "\(path)/\(name)"
        let beside = "\(path)/.\(name).tmp"
        // Replaces what a killed attempt left there.
        let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
        guard file >= 0 else { throw failure(errno) }
        var number = FileBytes.write(bytes, to: file)
        if number == 0, isSynced, fsync(file) != 0 { number = errno }
        // Network file systems and quotas report some failures only here (close(2)).
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
        if isSynced { ParentDirectory.sync(path) }
    }

    private func failure(_ number: CInt) -> DeliveryError {
        switch number {
        case ENOENT, ENOTDIR: .transient("the directory '\(path)' does not exist; make it")
        case ENAMETOOLONG: .permanent("'\(path)' cannot be written: \(ErrorText.of(number))")
        default: .transient("'\(path)' cannot be written: \(ErrorText.of(number))")
        }
    }
}
