import Foundation
import Testing

/// Other engines that speak PostgreSQL's protocol know only a part of its SQL. The statements keep to that part.
@Suite("PostgreSQL store: statements")
struct StatementRuleTests {
    /// What a statement may not contain, and why.
    private static let forbidden: [(pattern: String, reason: String)] = [
        ("advisory_", "poolers lose advisory locks, and other engines ignore them"),
        ("create (constraint )?trigger", "other engines have no triggers"),
        ("plpgsql|create (or replace )?function", "other engines have no PL/pgSQL"),
        (#"\bctid\b"#, "rows have no ctid elsewhere"),
        (#"nextval|currval|setval|\bserial\b"#, "sequences differ; the statement names the number"),
        (#"create (temp|temporary|unlogged)\b"#, "a temporary table belongs to the session"),
        (#"\blisten |\bnotify |\bunlisten |pg_notify"#, "poolers and other engines have no notifications"),
        (#"set session|set local|set_config\([^)]*, false\)"#, "a pooler gives each transaction another session"),
        (#"\bcopy \b|declare .* cursor"#, "neither goes through a pipeline"),
        ("pg_current_xact|pg_xact_status|txid_", "other engines have no such numbers"),
    ]

    /// The files with statements. Every one of the targets may have some.
    private static func files() throws -> [URL] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let sources = tests.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        let found = ["TminusPostgres", "TminusStorage"].flatMap { target in
            let folder = sources.appendingPathComponent(target)
            return FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        }
        return found.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    /// The text without comments.
    private static func code(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).hasPrefix("//") ? "" : String($0) }
            .joined(separator: "\n").lowercased()
    }

    private static func problems(in text: String) throws -> [String] {
        try forbidden.filter { try code(text).contains(Regex($0.pattern)) }.map(\.reason)
    }

    @Test("no statement uses what only PostgreSQL has, or what belongs to a session")
    func subset() throws {
        let files = try Self.files()
        #expect(files.count > 30, "the statements are found")
        // The one file that can do without an answer.
        for file in files where file.lastPathComponent != "Listener.swift" {
            let problems = try Self.problems(in: String(contentsOf: file, encoding: .utf8))
            #expect(problems == [], "\(file.lastPathComponent)")
        }
    }

    @Test(
        "the rule finds what it forbids",
        arguments: [
            "SELECT pg_advisory_lock(1)", "CREATE TRIGGER t", "SELECT ctid FROM delivery", "SELECT nextval('n')",
            "CREATE TEMP TABLE t (a int)", "LISTEN tminus", "SET SESSION x = 1", "SELECT pg_xact_status($1)",
        ])
    func finds(_ statement: String) throws {
        #expect(try Self.problems(in: "let sql = \"\(statement)\"") != [])
        #expect(try Self.problems(in: "// \(statement)") == [])
    }
}
