import TminusCore
import TminusDefinitions

/// A target for definition files: the readers of YAML and JSON, the decoder, and the texts of what is wrong.
enum DefinitionTargets {
    static func load(_ bytes: [UInt8]) {
        // Everything may be YAML; only what begins like an object may be JSON.
        let isObject = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        for path in isObject ? ["a.yaml", "a.json"] : ["a.yaml"] {
            var loader = DefinitionLoader(
                zones: Zones(), sinks: SinkRegistry([Lines.self, Address.self]), displayRoot: "config")
            let file = SourceFile(path: path, content: .bytes(bytes))
            let contents = DirectoryContents(root: "/etc/tminus", files: [file])
            let result = loader.load(contents, now: Timestamp(seconds: 1_780_272_000))
            for diagnostic in result.diagnostics {
                let location = diagnostic.location
                demand(
                    location.line >= 0 && location.column >= 0 && diagnostic.length >= 1,
                    "a diagnostic has a place: \(diagnostic)")
            }
            _ = DiagnosticText.render(result.diagnostics)
            _ = DiagnosticFormats.json(result.diagnostics)
        }
    }

    private struct Zones: ZoneDatabase {
        let names = ["UTC", "Europe/Berlin"]
        var systemZone: Zone { ZoneTargets.berlin }
        var version: String? { nil }
        var revision: Int { 0 }
        func zone(named name: String) -> Zone? {
            switch name {
            case "UTC": .utc
            case "Europe/Berlin": ZoneTargets.berlin
            default: nil
            }
        }
    }

    /// A kind without options. The program has none of the kinds of TminusSinks (`Package.swift` says why).
    private struct Lines: Sink {
        static let kind = "stdout"
        static let options = KeyTable("a stdout sink", [.init("stdout", .map(.text), "marks the kind")])

        init?(from reader: inout MappingReader, context: SinkContext) {}

        var maxConcurrent: Int { 1 }
        var timeLimit: Duration { .seconds(1) }
        func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
    }

    /// A kind with an option that is hidden in the lines that diagnostics show.
    private struct Address: Sink {
        static let kind = "webhook"
        static let options = KeyTable(
            "a webhook sink",
            [
                .init("webhook", .text, "an address", isRequired: true), .init("timeout", .duration, "a limit"),
                .init("headers", .map(.text), "names and values"),
            ])

        init?(from reader: inout MappingReader, context: SinkContext) {
            if let node = reader.node("webhook") { reader.diagnostics.conceal(node.range) }
            _ = reader.duration("timeout")
            guard reader.text("webhook") != nil else { return nil }
        }

        var maxConcurrent: Int { 1 }
        var timeLimit: Duration { .seconds(1) }
        func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
    }
}
