internal import Hummingbird
internal import NIOCore

/// The context of a request on its way through the router.
struct ControlContext: RequestContext {
    /// The router's own storage.
    var coreContext: CoreRequestContextStorage
    /// The connection's channel.
    let channel: any Channel
    /// The name of the connection's user, with the delivery whose hook sent the request. ``ControlGate`` sets it before
    /// any route runs.
    var user = ""

    /// The largest request body, in bytes.
    static let bodyLimit = 64 << 10

    /// Creates the context of a request.
    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
