internal import HTTPTypes
internal import Hummingbird

/// The description of all routes for programs (OpenAPI 3.1): the file beside this one.
struct DocumentRoutes: Sendable {
    func add(to routes: inout ControlRoutes) {
        routes.add("/openapi.json", [.get: { _, _ in .json(PackageResources.control_openapi_json) }])
    }
}
