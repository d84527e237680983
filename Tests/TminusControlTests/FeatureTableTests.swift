import Foundation
import Testing

/// Checks that the tests named in the tables of features and of promises exist.
@Suite struct FeatureTableTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../..")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The sources of all tests and of the conformance suites, by the suites that they declare or extend. Collected once, because a
    /// search of all sources for each row takes minutes.
    private static let sources: [Substring: [String]] = {
        var sources: [Substring: [String]] = [:]
        for folder in ["Tests", "Sources/TminusTestKit"] {
            let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            for file in files?.compactMap({ $0 as? String }) ?? [] where file.hasSuffix(".swift") {
                guard let source = try? text("\(folder)/\(file)") else { continue }
                for suite in Set(suites(in: source)) { sources[suite, default: []].append(source) }
            }
        }
        return sources
    }()

    private static func suites(in source: String) -> [Substring] {
        source.split(separator: "\n").filter { $0.hasSuffix("{") }.flatMap { line in
            let words = line.split(separator: " ")
            return zip(words, words.dropFirst()).filter { ["struct", "class", "extension"].contains($0.0) }.map(\.1)
        }
    }

    /// The tests of the page in a browser.
    private static let pageTests: String = {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Tests/Page").path)) ?? []
        return names.filter { $0.hasSuffix(".py") }.compactMap { try? text("Tests/Page/\($0)") }.joined()
    }()

    @Test func everyFeatureNamesExistingTests() throws {
        let rows = try Self.rows(of: "Features", columns: 4)
        #expect(rows.map { $0[0] } == (1...26).map(String.init))
        try check(rows)
    }

    @Test func everyPromiseNamesExistingTests() throws {
        let rows = try Self.rows(of: "Promises", columns: 3)
        let counts = [("A", 7), ("B", 10), ("C", 6), ("D", 15), ("E", 28), ("F", 3)]
        #expect(rows.map { $0[0] } == counts.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } })
        try check(rows)
    }

    /// The rows of the table in an article that begin with a number or a letter and a number.
    private static func rows(of article: String, columns: Int) throws -> [[String]] {
        try text("Sources/TminusCore/TminusCore.docc/\(article).md").split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == columns && $0[0].wholeMatch(of: /[A-Z]?[0-9]+/) != nil }
    }

    private func check(_ rows: [[String]]) throws {
        let makefile = try Self.text("Makefile")
        for row in rows {
            for named in try #require(row.last).components(separatedBy: "; ") {
                let parts = named.components(separatedBy: "`")
                let name = try #require(parts.count >= 3 ? parts[1] : nil, "row \(row[0]): \(named)")
                if name == "make check-page" {
                    let test = parts[2].trimmingCharacters(in: .whitespaces)
                    #expect(Self.pageTests.contains("def \(test)("), "row \(row[0]): no test \(test)")
                    continue
                }
                if name.hasPrefix("make ") {
                    // The variables that may follow are not looked for.
                    let target = name.split(separator: " ")[1]
                    #expect(makefile.contains("\n\(target):"), "row \(row[0]): \(name)")
                    continue
                }
                let (suite, function) = (name.split(separator: ".").first, name.split(separator: ".").dropFirst().first)
                let phrase = parts[2].components(separatedBy: "(")[0].trimmingCharacters(in: .whitespaces)
                let sources = Self.sources[try #require(suite)] ?? []
                let isThere = sources.contains { source in
                    (phrase.isEmpty || source.contains(phrase))
                        && (function.map { source.contains("func \($0)(") || source.contains("static let \($0):") }
                            ?? true)
                }
                #expect(isThere, "row \(row[0]): no test \(named)")
            }
        }
    }
}
