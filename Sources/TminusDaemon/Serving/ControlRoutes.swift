internal import HTTPTypes
internal import Hummingbird

/// The routes of the daemon: paths with their methods, and who may use them.
struct ControlRoutes: Sendable {
    /// Answers a request.
    typealias Handler = @Sendable (Request, ControlContext) async throws -> Response

    /// Who may use a route. The control socket has all of them.
    enum Level: String, Sendable, Hashable, CaseIterable {
        /// Everybody: it tells nothing.
        case open
        /// Everybody who may read, over TCP too.
        case read
        /// Only clients of the control socket.
        case socket
    }

    /// A path with its methods.
    struct Route: Sendable {
        /// The path; `:id` matches any single segment.
        let path: String
        /// Who may use it.
        let level: Level
        /// The handler of each method.
        let methods: [HTTPRequest.Method: Handler]

        /// The names of the methods, sorted.
        var names: [String] { methods.keys.map(\.rawValue).sorted() }
    }

    /// All routes, in the order they were added.
    private(set) var all: [Route] = []

    /// Adds a path with its methods.
    mutating func add(_ path: String, _ methods: [HTTPRequest.Method: Handler], level: Level = .socket) {
        all.append(Route(path: path, level: level, methods: methods))
    }

    /// Adds a path that answers GET, and HEAD without the body.
    mutating func addReadable(_ path: String, _ level: Level, _ handler: @escaping Handler) {
        add(path, [.get: handler, .head: { try await handler($0, $1).createHeadResponse() }], level: level)
    }

    /// The routes that are served over TCP too.
    var beyondSocket: ControlRoutes {
        var routes = ControlRoutes()
        routes.all = all.filter { $0.level != .socket }
        return routes
    }

    /// Registers all routes with the router.
    func add(to router: Router<ControlContext>) {
        for route in all {
            for (method, handler) in route.methods {
                router.on(RouterPath(route.path), method: method, use: handler)
            }
        }
    }

    /// Returns the methods that a request path supports; empty if there is no such route.
    func methods(at path: String) -> [String] {
        let parts = path.split(separator: "/")
        return all.filter { route in
            let own = route.path.split(separator: "/")
            return own.count == parts.count && zip(own, parts).allSatisfy { $0 == $1 || $0.hasPrefix(":") }
        }.flatMap(\.names)
    }
}
