internal import TminusCore
internal import TminusPostgres
internal import TminusSQLite

/// `tminus store check`: what a look at a store finds. It changes nothing, and a daemon may use the store.
package struct StoreCheck: Sendable {
    /// What was found, each with what it is about.
    package var facts: [(name: String, text: String)]
    /// What keeps a daemon from using the store, with the remedies.
    package var problems: [String]
    /// What may do harm.
    package var warnings: [String]

    /// Looks at a store. Blocks meanwhile.
    package init(of location: StoreLocation) throws(ToolError) {
        switch location {
        case .file(let path):
            let examination = StoreExamination(of: path)
            facts = [("file", path), ("state", Self.words(for: examination.outcome))]
            let findings = StoreFacts(path: path, examination: examination).findings
            func texts(_ severity: Finding.Severity) -> [String] {
                findings.filter { $0.severity == severity }.map { "\($0.subject): \($0.message); \($0.fix)" }
            }
            (problems, warnings) = (texts(.error), texts(.warning))
        case .database(let address):
            let examination: DatabaseExamination
            do throws(StoreError) {
                examination = try DatabaseExamination(of: address)
            } catch {
                throw ToolError(error)
            }
            facts = examination.facts.map { ($0.name, $0.text) }
            (problems, warnings) = (examination.problems, examination.warnings)
        }
    }

    /// One fact, problem or warning a line.
    package var text: String {
        let width = (facts.map(\.name.count).max() ?? 0) + 2
        var lines = facts.map { "\($0.name)\(String(repeating: " ", count: width - $0.name.count))\($0.text)" }
        lines += problems.map { "error: \($0)" } + warnings.map { "warning: \($0)" }
        return lines.map { "\($0)\n" }.joined()
    }

    private static func words(for outcome: StoreExamination.Outcome) -> String {
        switch outcome {
        case .absent: "there is no file yet; the daemon makes it when it starts"
        case .whole(schema: 0, _): "empty"
        case .whole(let schema, _): "whole, schema \(schema) of \(SQLiteStore.schema)"
        case .unchecked: "not checked"
        case .damaged: "damaged"
        case .refused: "refused"
        }
    }
}
