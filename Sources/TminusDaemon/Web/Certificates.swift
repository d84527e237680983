internal import Glibc
internal import Logging
internal import NIOHTTP2
internal import NIOSSL
internal import Synchronization
internal import TminusCore
internal import TminusSystem

/// The certificate and the key with which the daemon speaks TLS. New connections get changed files; a broken pair is told, and the former
/// one stays in force.
final class Certificates: Sendable {
    private struct State {
        var context: NIOSSLContext
        var expiry: Timestamp
        var seen: [FileBytes.Stamp?]
    }

    private let files: TLSFiles
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files.
    ///
    /// - Throws: ``DaemonError`` if they cannot be used.
    init(_ files: TLSFiles, logger: Logger) throws {
        self.files = files
        self.logger = logger
        let seen = Self.look(files)
        let (context, expiry) = try Self.read(files)
        state = Mutex(State(context: context, expiry: expiry, seen: seen))
        warnIfExpired(expiry)
    }

    /// When the certificate in force expires.
    var expiry: Timestamp { state.withLock(\.expiry) }

    /// What a new connection uses: the files as they are now, if they can be used.
    var current: NIOSSLContext {
        state.withLock { state in
            let seen = Self.look(files)
            guard seen != state.seen else { return state.context }
            state.seen = seen
            do {
                (state.context, state.expiry) = try Self.read(files)
                logger.notice("certificate exchanged", metadata: ["expires": "\(state.expiry.rfc3339)"])
                warnIfExpired(state.expiry)
            } catch {
                logger.error("the former certificate stays in force", metadata: ["reason": "\(error)"])
            }
            return state.context
        }
    }

    private func warnIfExpired(_ expiry: Timestamp) {
        guard expiry <= Timestamp(seconds: Int64(time(nil))) else { return }
        logger.warning(
            "the certificate has expired, so clients refuse it",
            metadata: ["file": "\(files.certificate)", "expired": "\(expiry.rfc3339)"])
    }

    private static func look(_ files: TLSFiles) -> [FileBytes.Stamp?] {
        [files.certificate, files.key].map { try? FileBytes.Stamp(of: $0) }
    }

    private static func read(_ files: TLSFiles) throws -> (NIOSSLContext, Timestamp) {
        let chain = try part(files.certificate, "--tls-cert", "certificates") { try NIOSSLCertificate.fromPEMBytes($0) }
        let key = try part(files.key, "--tls-key", "a private key") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
        guard let first = chain.first else {
            throw DaemonError(.badData, "--tls-cert \(files.certificate): it has no certificates in PEM form")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        do {
            return (try NIOSSLContext(configuration: configuration), Timestamp(seconds: Int64(first.notValidAfter)))
        } catch {
            throw DaemonError(
                .badData, "--tls-key \(files.key): it is not the key of the certificate in \(files.certificate)")
        }
    }

    /// What is in a file.
    private static func part<Value>(
        _ path: String, _ option: String, _ what: String, _ decode: ([UInt8]) throws -> Value
    ) throws -> Value {
        let bytes: [UInt8]
        do throws(FileBytes.Problem) { bytes = try FileBytes.content(of: path, limit: 1 << 20) } catch {
            throw DaemonError(.inputOutput, "\(option) \(path): cannot be read: \(error.text)")
        }
        do { return try decode(bytes) } catch {
            throw DaemonError(.badData, "\(option) \(path): it has not \(what) in PEM form")
        }
    }
}
