/// Why a connection or a request over TCP was refused before any route saw it.
enum WebRefusal: String, Sendable, Hashable, CaseIterable {
    /// The name in its header `Host` is not known here.
    case host
    /// Another site can have sent it.
    case origin
    /// Nobody is signed in, and it needs a level.
    case token
    /// The level of its token is too low.
    case level
    /// There are too many connections.
    case full
    /// The headers took too long.
    case slow
}
