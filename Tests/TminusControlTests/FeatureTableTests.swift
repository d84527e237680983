import Foundation
import Testing

/// Checks that the tests named in the table of features exist.
@Suite struct FeatureTableTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../..")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The sources of the test files that declare a suite.
    private static func sources(of suite: String) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: root.appendingPathComponent("Tests").path)
        return try (files?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix("/\(suite).swift") }
            .map { try text("Tests/\($0)") }.filter { $0.contains("struct \(suite) ") }
    }

    @Test func everyRowNamesExistingTests() throws {
        let rows = try Self.text("Sources/TminusCore/TminusCore.docc/Features.md").split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 4 && Int($0[0]) != nil }
        #expect(rows.map { $0[0] } == (1...26).map(String.init))
        let makefile = try Self.text("Makefile")
        for row in rows {
            for named in row[3].components(separatedBy: "; ") {
                let parts = named.components(separatedBy: "`")
                let name = try #require(parts.count >= 3 ? parts[1] : nil, "row \(row[0]): \(named)")
                if name.hasPrefix("make ") {
                    #expect(makefile.contains("\n\(name.dropFirst(5)):"), "row \(row[0]): \(name)")
                    continue
                }
                let (suite, function) = (name.split(separator: ".").first, name.split(separator: ".").dropFirst().first)
                let phrase = parts[2].components(separatedBy: "(")[0].trimmingCharacters(in: .whitespaces)
                let sources = try Self.sources(of: String(try #require(suite)))
                let isThere = sources.contains { source in
                    (phrase.isEmpty || source.contains(phrase))
                        && (function.map { source.contains("func \($0)(") } ?? true)
                }
                #expect(isThere, "row \(row[0]): no test \(named)")
            }
        }
    }
}
