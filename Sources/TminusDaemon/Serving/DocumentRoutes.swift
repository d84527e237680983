internal import HTTPTypes
internal import Hummingbird

/// The route of the OpenAPI 3.1 description, which is the file `control.openapi.json` beside this one.
struct DocumentRoutes: Sendable {
    /// Registers the route.
    func add(to routes: inout ControlRoutes) {
        routes.add("/openapi.json", [.get: { _, _ in .json(PackageResources.control_openapi_json) }])
    }
}
