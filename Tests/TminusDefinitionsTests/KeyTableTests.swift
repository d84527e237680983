import Testing
import TminusCore

@testable import TminusDefinitions

/// `MappingReader` asserts that every key it reads is in its table, so the other tests already show that no key is
/// missing. These tests show that every key in a table is read.
@Suite("tables of keys")
struct KeyTableTests {
    /// The table, and a file in which `KEY` is replaced by one of its keys.
    static let places: [(table: KeyTable, file: String)] = [
        (DefinitionKeys.file, "{ KEY }"),
        (DefinitionKeys.defaults, "defaults: { KEY }"),
        (DefinitionKeys.event, "events: { e: { KEY } }"),
        (DefinitionKeys.timer, "timers: { t: { KEY } }"),
        (DefinitionKeys.stopwatch, "stopwatches: { s: { KEY } }"),
        (DefinitionKeys.reminder, "timers: { t: { duration: 1h, remind: { KEY } } }"),
    ]

    @Test("each key of a definition file is read", arguments: places)
    func isRead(table: KeyTable, file: String) {
        for key in table.keys {
            // No key accepts a list within a list.
            var loader = DefinitionLoader.test()
            let result = loader.load(["a.yaml": file.replacing("KEY", with: "\n\(key.name): [[]]\n")])
            #expect(result.diagnostics.contains { $0.location.line == 2 }, "\(table.name): \(key.name)")
            #expect(!result.messages.contains { $0.contains("unknown key") }, "\(table.name): \(key.name)")
        }
    }

    @Test("each key has a summary and a unique name", arguments: places.map(\.table))
    func isDescribed(table: KeyTable) {
        #expect(table.keys.allSatisfy { !$0.summary.isEmpty })
        #expect(Set(table.keys.map(\.name)).count == table.keys.count)
    }
}
