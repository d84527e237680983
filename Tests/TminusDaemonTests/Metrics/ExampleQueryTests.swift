import Foundation
import Testing

@testable import TminusDaemon

/// The dashboard and the alert rules of the examples ask for nothing that is not there.
@Suite("Queries of the examples")
struct ExampleQueryTests {
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Examples")

    /// The names of series that the two routes can answer with, without labels.
    private static let known: Set<String> = Set(
        (MetricFamily.all + MetricFamily.ofDefinitions).flatMap { family in
            family.kind == .histogram ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
        })

    /// The labels of each series.
    private static let labels: [String: Set<String>] = Dictionary(
        (MetricFamily.all + MetricFamily.ofDefinitions).flatMap { family in
            let names = Set(family.labels + ["instance", "job"])
            return [(family.name, names), ("\(family.name)_bucket", names.union(["le"]))]
        }, uniquingKeysWith: { first, _ in first })

    private func check(_ query: String) {
        let series = query.matches(of: /\b((?:tminus|process)_[a-z_]+)(?:\{([^}]*)\})?/)
        #expect(!series.isEmpty, "\(query)")
        for match in series {
            let name = String(match.output.1)
            #expect(Self.known.contains(name), "\(name) in \(query)")
            let used = (match.output.2 ?? "").split(separator: ",").map { $0.prefix { $0.isLetter || $0 == "_" } }
            for label in used where !label.isEmpty {
                #expect(Self.labels[name]?.contains(String(label)) == true, "\(label) of \(name) in \(query)")
            }
        }
        let open = query.filter { "([{".contains($0) }.count
        #expect(open == query.filter { ")]}".contains($0) }.count, "\(query)")
    }

    @Test("each panel of the dashboard has a place of its own, and asks for metrics and labels that exist")
    func dashboard() throws {
        let data = try Data(contentsOf: Self.examples.appendingPathComponent("grafana/tminus.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(json["panels"] as? [[String: Any]])
        var (ids, cells, queries): (Set<Int>, Set<[Int]>, Int) = ([], [], 0)
        for panel in panels {
            #expect(ids.insert(try #require(panel["id"] as? Int)).inserted)
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y) = (place["x"] ?? 0, place["y"] ?? 0)
            for column in x..<x + (place["w"] ?? 0) {
                for row in y..<y + (place["h"] ?? 0) {
                    #expect(column < 24 && cells.insert([column, row]).inserted, "\(panel["title"] ?? "-")")
                }
            }
            for target in panel["targets"] as? [[String: Any]] ?? [] {
                check(try #require(target["expr"] as? String))
                queries += 1
            }
        }
        #expect(queries > 20)
        let lists = ["templating": "definition", "annotations": "expr"]
        for (list, member) in lists {
            for entry in (json[list] as? [String: Any])?["list"] as? [[String: Any]] ?? [] {
                if let query = entry[member] as? String { check(query) }
            }
        }
    }

    @Test("the alert rules ask for metrics that exist")
    func rules() throws {
        let file = Self.examples.appendingPathComponent("prometheus/tminus.rules.yaml")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.contains("tminus_") && !$0.contains("summary:") }
        #expect(lines.count >= 7)
        for line in lines { check(String(line)) }
    }
}
