internal import HTTPTypes
internal import Hummingbird

/// The routes of the control socket: paths with their methods.
struct ControlRoutes: Sendable {
    /// Answers a request.
    typealias Handler = @Sendable (Request, ControlContext) async throws -> Response

    /// A path with its methods.
    struct Route: Sendable {
        /// The path; `:id` matches any single segment.
        let path: String
        /// The handler of each method.
        let methods: [HTTPRequest.Method: Handler]

        /// The names of the methods, sorted.
        var names: [String] { methods.keys.map(\.rawValue).sorted() }
    }

    /// All routes, in the order they were added.
    private(set) var all: [Route] = []

    /// Adds a path with its methods.
    mutating func add(_ path: String, _ methods: [HTTPRequest.Method: Handler]) {
        all.append(Route(path: path, methods: methods))
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
