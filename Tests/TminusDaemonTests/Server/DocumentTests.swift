import Foundation
import Testing
import TminusControl
import TminusCore
import TminusDefinitions
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
        let routes = harness.api().routes.all.flatMap { route in
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

    /// The schemas of the description, by name.
    private func schemas() throws -> [String: [String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(PackageResources.control_openapi_json))
        let components = try #require((json as? [String: Any])?["components"] as? [String: Any])
        return try #require(components["schemas"] as? [String: [String: Any]])
    }

    @Test("the description has every code of a reason")
    func reasons() throws {
        let schemas = try schemas()
        #expect(schemas["Reason"]?["enum"] as? [String] == ReasonCode.allCases.map(\.rawValue))
        let status = try #require(schemas["Status"]?["properties"] as? [String: [String: Any]])
        let file = try #require(
            (status["files"]?["items"] as? [String: Any])?["properties"] as? [String: [String: Any]])
        #expect(file["reason"]?["enum"] as? [String] == IgnoredEntry.Reason.allCases.map(\.rawValue))
        let states = FileReport.State.allCases.map(\.rawValue) + ["pending", "ignored"]
        #expect(Set(file["state"]?["enum"] as? [String] ?? []) == Set(states))
    }

    @Test("no member occurs twice in the description")
    func duplicates() throws {
        let text = String(decoding: Data(PackageResources.control_openapi_json), as: UTF8.self)
        var open: [Set<Substring>] = []
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if let member = line.firstMatch(of: /^"([^"]*)":/), !open.isEmpty {
                #expect(open[open.count - 1].insert(member.output.1).inserted, "\(member.output.1)")
            }
            if line.hasSuffix("{") { open.append([]) }
            if line.hasPrefix("}") { open.removeLast() }
        }
        #expect(open.isEmpty)
    }

    @Test("the description says who may use each route, as the table of routes does")
    func levels() throws {
        let json = try JSONSerialization.jsonObject(with: Data(PackageResources.control_openapi_json))
        let paths = try #require((json as? [String: Any])?["paths"] as? [String: [String: Any]])
        for route in try ControlHarness().api().routes.all {
            let path = route.path.replacing(/:(\w+)/) { "{\($0.output.1)}" }
            for name in route.names {
                let operation = try #require(paths[path]?[name.lowercased()] as? [String: Any])
                #expect(operation["x-level"] as? String == route.level.rawValue, "\(name) \(path)")
            }
        }
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
