internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL

/// A connection that speaks TLS with the certificate that is in force when it begins.
struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// What is inside.
    let base: Base
    let certificates: Certificates

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificates.current))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
