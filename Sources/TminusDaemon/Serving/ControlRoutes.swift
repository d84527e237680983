internal import HTTPTypes
internal import Hummingbird
internal import TminusCore

/// The routes of the daemon: paths with their methods, and who may use them. Both doors serve the same ones.
struct ControlRoutes: Sendable {
    /// Answers a request.
    typealias Handler = @Sendable (Request, ControlContext) async throws -> Response

    /// Methods of a path that need the same level.
    struct Route: Sendable {
        /// The path; `:id` matches any single segment.
        let path: String
        /// What a client needs to use it.
        let level: AccessLevel
        /// The largest body of a request, in bytes.
        let bodyLimit: Int
        /// The handler of each method.
        let methods: [HTTPRequest.Method: Handler]
        /// The segments of the path, with which a request is compared that no route answers.
        private let segments: [Substring]

        /// The route of a path.
        init(path: String, level: AccessLevel, bodyLimit: Int, methods: [HTTPRequest.Method: Handler]) {
            self.path = path
            self.level = level
            self.bodyLimit = bodyLimit
            self.methods = methods
            segments = path.split(separator: "/")
        }

        /// The names of the methods, sorted.
        var names: [String] { methods.keys.map(\.rawValue).sorted() }

        /// Whether a request path is one of this route.
        fileprivate func matches(_ parts: [Substring]) -> Bool {
            segments.count == parts.count && zip(segments, parts).allSatisfy { $0 == $1 || $0.hasPrefix(":") }
        }
    }

    /// All routes, in the order they were added. A path whose methods need different levels is there once for each level.
    private(set) var all: [Route] = []

    /// Adds a path with methods that need this level.
    mutating func add(
        _ path: String, _ methods: [HTTPRequest.Method: Handler], level: AccessLevel,
        bodyLimit: Int = ControlContext.bodyLimit
    ) {
        all.append(Route(path: path, level: level, bodyLimit: bodyLimit, methods: methods))
    }

    /// Adds a path that answers GET, and HEAD without the body.
    mutating func addReadable(_ path: String, _ level: AccessLevel, _ handler: @escaping Handler) {
        add(path, [.get: handler, .head: { try await handler($0, $1).createHeadResponse() }], level: level)
    }

    /// The routes that are served over TCP too.
    var beyondSocket: ControlRoutes {
        var routes = ControlRoutes()
        routes.all = all.filter { $0.level < .socket }
        return routes
    }

    /// Registers all routes with the router. No handler runs, and no body is read, below the level of its route.
    func add(to router: Router<ControlContext>) {
        for route in all {
            for (method, handler) in route.methods {
                router.on(RouterPath(route.path), method: method) { request, context in
                    try context.access.require(route.level)
                    var request = request
                    try await request.readBody(upTo: route.bodyLimit, on: context.channel)
                    return try await handler(request, context)
                }
            }
        }
    }

    /// The names of the methods that a request path supports, sorted; empty if there is no such route.
    func methods(at path: String) -> [String] {
        let parts = path.split(separator: "/")
        return all.filter { $0.matches(parts) }.flatMap(\.names).sorted()
    }
}
