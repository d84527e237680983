package import TminusControl

/// The text of `tminus status` for a daemon that stands by.
package enum StandbyText {
    /// The whole status.
    package static func render(_ status: StandbyAnswer) -> String {
        var rows = [
            ("tminus", "stands by, process \(status.processID)"), ("leader", status.leader ?? "-"),
            ("state", status.state),
        ]
        if let problem = status.problem { rows.append(("problem", words(problem))) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { SafeText.line("\(Fitting.pad($0.0, to: width))  \($0.1)") + "\n" }.joined()
    }

    /// What needs a person, or who leads.
    package static func attention(_ status: StandbyAnswer) -> String {
        let leads = status.leader.map { "; \($0) leads" } ?? ""
        return SafeText.line(status.problem.map(words) ?? "stands by\(leads)") + "\n"
    }

    private static func words(_ problem: String) -> String { "the database does not answer: \(problem)" }
}
