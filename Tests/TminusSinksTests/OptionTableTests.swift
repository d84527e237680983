import Testing
import TminusCore
import TminusSinks

/// A read of an option that is not in the table is a precondition of `MappingReader`, so that making each kind tests it.
@Suite("Tables of options")
struct OptionTableTests {
    static let names = StandardSinks.kinds.map { $0.kind }

    @Test("the kind's own key comes first, and each key is described once", arguments: names)
    func ownKeyFirst(name: String) throws {
        let table = try #require(SinkRegistry(StandardSinks.kinds)[name]).options
        #expect(table.keys.first?.name == name)
        #expect(table.keys.allSatisfy { !$0.summary.isEmpty })
        #expect(Set(table.keys.map(\.name)).count == table.keys.count)
    }

    @Test("each option is read", arguments: names)
    func isRead(name: String) throws {
        let registry = SinkRegistry(StandardSinks.kinds)
        let table = try #require(registry[name]).options
        let own: [String: Node.Content] = [
            "stdout": .null, "webhook": .scalar("http://h/"), "webhook-file": .scalar("out"),
        ]
        let good = (name, own[name] ?? .scalar("true"))
        let plain = DiagnosticBag(file: "test.yaml")
        #expect(registry.make(.test(name, [good], in: "/"), root: "/", reporting: plain) != nil && !plain.hasErrors)
        for key in table.keys {
            // No option takes a list in a list.
            let bad = (key.name, Node.Content.sequence([Node(.sequence([]))]))
            let diagnostics = DiagnosticBag(file: "test.yaml")
            let options = key.name == name ? [bad] : [good, bad]
            _ = registry.make(.test(name, options, in: "/"), root: "/", reporting: diagnostics)
            #expect(diagnostics.hasErrors, "\(key.name)")
        }
    }
}
