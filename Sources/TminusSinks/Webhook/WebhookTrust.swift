import NIOSSL
import Synchronization
import TminusCore
import TminusSystem

/// The certificate authorities of `ca-file`, in place of the system's.
///
/// The file is read at the first request, and again when it has changed, so that a new one needs no reload.
final class WebhookTrust: Sendable {
    /// The absolute path of the file.
    let path: String
    private let queue = BlockingQueue(label: "tminus.ca-file")
    private let known = Mutex<(stamp: FileBytes.Stamp, configuration: TLSConfiguration)?>(nil)

    /// The authorities in the PEM file at an absolute path.
    init(path: String) {
        self.path = path
    }

    /// The configuration for a connection. It stays the same value until the file changes, so that connections are reused.
    func configuration() async throws(DeliveryError) -> TLSConfiguration {
        try await queue.run { [self] _ throws(DeliveryError) in try current() }
    }

    private func current() throws(DeliveryError) -> TLSConfiguration {
        let stamp: FileBytes.Stamp
        do throws(FileBytes.Problem) { stamp = try FileBytes.Stamp(of: path) } catch { throw failure(error.text) }
        if let known = known.withLock(\.self), known.stamp == stamp { return known.configuration }
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
            throw failure("it has no certificates in PEM form")
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(certificates)
        known.withLock { $0 = (stamp, configuration) }
        return configuration
    }

    private func failure(_ reason: String) -> DeliveryError {
        // Transient, because someone may create or correct the file.
        .transient("the ca-file '\(path)' cannot be used: \(reason)")
    }
}
