import FoundationEssentials
import Glibc
import NIOSSL
import Synchronization
import TminusCore

/// The certificate authorities of `ca-file`, in the place of the system's.
///
/// The file is read at the first request and again when it has changed, so that a new one needs no reload.
final class WebhookTrust: Sendable {
    private struct Stamp: Hashable {
        var device: UInt
        var node: UInt
        var size: Int
        var changed: Int64
    }

    private let path: String
    private let queue = BlockingQueue(label: "tminus.ca-file")
    private let known = Mutex<(stamp: Stamp, configuration: TLSConfiguration)?>(nil)

    /// The authorities in the PEM file at an absolute path.
    init(path: String) {
        self.path = path
    }

    /// The configuration for a connection. The same value as before unless the file has changed, so that connections are
    /// used again.
    func configuration() async throws(DeliveryError) -> TLSConfiguration {
        try await queue.run { [self] _ in
            do throws(DeliveryError) {
                try refresh()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        guard let configuration = known.withLock({ $0?.configuration }) else { throw .stopped }
        return configuration
    }

    private func refresh() throws(DeliveryError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(PlainText.error(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("not a regular file") }
        let stamp = Stamp(
            device: UInt(status.st_dev), node: UInt(status.st_ino), size: Int(status.st_size),
            changed: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
        if known.withLock({ $0?.stamp }) == stamp { return }
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
            throw failure("it has no certificates in PEM form")
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(certificates)
        known.withLock { $0 = (stamp, configuration) }
    }

    private func failure(_ reason: String) -> DeliveryError {
        // Somebody may put it there.
        .transient("the ca-file '\(path)' cannot be used: \(reason)")
    }
}
