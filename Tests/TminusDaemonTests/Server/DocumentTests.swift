import Foundation
import Testing
import TminusControl
import TminusTestKit

@testable import TminusDaemon

@Suite("The description of the routes")
struct DocumentTests {
    /// What is read of it here.
    private struct Document: Decodable {
        /// A path with its methods and the parameters of all of them.
        struct Path: Decodable {
            var names: Set<String> = []

            init(from decoder: any Decoder) throws {
                names = Set(try decoder.singleValueContainer().decode([String: Ignored].self).keys)
            }
        }

        struct Ignored: Decodable {
            init(from decoder: any Decoder) throws {}
        }

        var openapi: String
        var paths: [String: Path]
    }

    @Test("the description has exactly the routes of the server with their methods")
    func routes() async throws {
        let harness = try ControlHarness()
        let server = harness.server()
        let routes = server.api.routes.all.flatMap { route in
            let parts = route.path.split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
            return route.names.map { "\($0.lowercased()) /\(parts.joined(separator: "/"))" }
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(PackageResources.control_openapi_json))
        #expect(document.openapi == "3.1.0")
        let described = document.paths.flatMap { path, item in
            item.names.subtracting(["parameters"]).map { "\($0) \(path)" }
        }
        #expect(described.sorted() == routes.sorted())
    }

    @Test("the daemon answers with the file in the examples")
    func served() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Examples/control.openapi.json")
        let committed = try Data(contentsOf: file)
        let harness = try ControlHarness()
        try await harness.run { (client: ControlClient) async throws in
            #expect(Data(try await client.send("GET", "/openapi.json")) == committed)
        }
    }
}
