internal import HTTPTypes
internal import Hummingbird

/// Everything that can be asked: paths with their methods.
struct ControlRoutes: Sendable {
    /// Answers a request.
    typealias Handler = @Sendable (Request, ControlContext) async throws -> Response

    /// A path, in which `:id` stands for any one part, with its methods.
    struct Route: Sendable {
        let path: String
        let methods: [HTTPRequest.Method: Handler]

        /// The methods in the order of their names.
        var names: [String] { methods.keys.map(\.rawValue).sorted() }
    }

    private(set) var all: [Route] = []

    /// Adds a path with its methods.
    mutating func add(_ path: String, _ methods: [HTTPRequest.Method: Handler]) {
        all.append(Route(path: path, methods: methods))
    }

    /// Makes all of them reachable.
    func add(to router: Router<ControlContext>) {
        for route in all {
            for (method, handler) in route.methods {
                router.on(RouterPath(route.path), method: method, use: handler)
            }
        }
    }

    /// The methods that there are at the path of a request.
    func methods(at path: String) -> [String] {
        let parts = path.split(separator: "/")
        return all.filter { route in
            let own = route.path.split(separator: "/")
            return own.count == parts.count && zip(own, parts).allSatisfy { $0 == $1 || $0.hasPrefix(":") }
        }.flatMap(\.names)
    }
}
