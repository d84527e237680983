/// Why a connection or a request over TCP was refused before any route saw it.
enum WebRefusal: String, Sendable, Hashable, CaseIterable {
    /// The name in its header `Host` is not known here.
    case host
    /// Another site can have sent it.
    case origin
    /// Its token is wrong, or it has none and needs one.
    case token
    /// The level of its token is too low.
    case level
    /// Too many tokens were wrong.
    case rate
    /// There are too many connections.
    case full
    /// The headers took too long.
    case slow
}
