import Testing
import TminusCore

@testable import TminusDefinitions

/// A read of a key that is not in its table is a precondition of `MappingReader`; so what is decoded here at all has
/// tables that list what is read. What is left to test is that nothing is listed which nobody reads.
@Suite("tables of keys")
struct KeyTableTests {
    /// The table, and a file with one of its keys where `KEY` stands.
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
            // No key takes a list in a list.
            var loader = DefinitionLoader.test()
            let result = loader.load(["a.yaml": file.replacing("KEY", with: "\n\(key.name): [[]]\n")])
            #expect(result.diagnostics.contains { $0.location.line == 2 }, "\(table.name): \(key.name)")
            #expect(!result.messages.contains { $0.contains("unknown key") }, "\(table.name): \(key.name)")
        }
    }

    @Test("each key has a summary, and a name of its own", arguments: places.map(\.table))
    func isDescribed(table: KeyTable) {
        #expect(table.keys.allSatisfy { !$0.summary.isEmpty })
        #expect(Set(table.keys.map(\.name)).count == table.keys.count)
    }
}
