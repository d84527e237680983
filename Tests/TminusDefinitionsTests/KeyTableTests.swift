import Testing
import TminusCore

@testable import TminusDefinitions

/// `MappingReader` asserts that every key it reads is in its table, so the other tests already show that no key is
/// missing. These tests show that every key in a table is read.
@Suite("tables of keys")
struct KeyTableTests {
    /// A table, and a file in which `KEY` is replaced by one of its keys.
    struct Place: Sendable, CustomTestStringConvertible {
        var table: KeyTable
        var file: String

        init(_ table: KeyTable, _ file: String) { (self.table, self.file) = (table, file) }

        var testDescription: String { table.name }
    }

    static let places = [
        Place(DefinitionKeys.file, "{ KEY }"),
        Place(DefinitionKeys.defaults, "defaults: { KEY }"),
        Place(DefinitionKeys.event, "events: { e: { KEY } }"),
        Place(DefinitionKeys.timer, "timers: { t: { KEY } }"),
        Place(DefinitionKeys.stopwatch, "stopwatches: { s: { KEY } }"),
        Place(DefinitionKeys.reminder, "timers: { t: { duration: 1h, remind: { KEY } } }"),
    ]

    @Test("each key of a definition file is read", arguments: places)
    func isRead(place: Place) {
        let (table, file) = (place.table, place.file)
        for key in table.keys {
            // No key accepts a list within a list.
            var loader = DefinitionLoader.test()
            let result = loader.load(["a.yaml": file.replacing("KEY", with: "\n\(key.name): [[]]\n")])
            #expect(result.diagnostics.contains { $0.location.line == 2 }, "\(table.name): \(key.name)")
            #expect(!result.messages.contains { $0.contains("unknown key") }, "\(table.name): \(key.name)")
        }
    }

    @Test("each key has a summary and a unique name", arguments: places)
    func isDescribed(place: Place) {
        let table = place.table
        #expect(table.keys.allSatisfy { !$0.summary.isEmpty })
        #expect(Set(table.keys.map(\.name)).count == table.keys.count)
    }
}
