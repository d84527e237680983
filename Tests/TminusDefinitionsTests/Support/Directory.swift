import TminusCore

@testable import TminusDefinitions

/// 2026-06-01T00:00:00Z.
let june = Timestamp(seconds: 1_780_272_000)

extension DirectoryContents {
    /// A directory with these texts by path.
    init(_ files: [String: String]) {
        self.init(
            root: "/etc/tminus",
            files: files.sorted { $0.key < $1.key }
                .map { SourceFile(path: $0.key, content: .bytes(Array($0.value.utf8))) })
    }
}

extension DefinitionLoader {
    /// A loader with the zones and sinks of the tests.
    static func test() -> DefinitionLoader {
        DefinitionLoader(zones: TestZones.shared, sinks: .tests, displayRoot: "config")
    }

    /// Loads a directory with these texts by path.
    mutating func load(_ files: [String: String]) -> LoadResult {
        load(DirectoryContents(files), now: june)
    }
}

extension LoadResult {
    /// The ids in force.
    var ids: [String] { self.set.definitions.keys.map(\.rawValue).sorted() }

    /// The messages without their locations.
    var messages: [String] { diagnostics.map(\.message) }

    /// The state of the file at `path`.
    func state(_ path: String) -> FileReport.State? { files.first { $0.path == path }?.state }

    /// The definition with that id.
    func definition(_ id: String) -> Definition? { DefinitionID(id).flatMap { self.set.definitions[$0] } }
}
