internal import Hummingbird
internal import NIOCore

/// A request on its way through the routes.
struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel
    /// Who asks; set before any route is reached.
    var peer: Peer?

    /// The largest body of a request, in bytes.
    static let bodyLimit = 64 << 10

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
