internal import TminusCore

/// All findings, in the order of the report, and how `tminus doctor` writes them.
package struct DoctorReport: Sendable {
    /// The most findings of one code that are written.
    static let shown = 20

    /// The findings that are written: errors first, then by code and subject.
    package let findings: [Finding]
    /// How many more there are of a code, in the order of ``findings``.
    package let leftOut: [(severity: Finding.Severity, code: FindingCode, count: Int)]
    private let errors: Int
    private let warnings: Int

    /// The report of what was found. Equal findings are one.
    package init(_ all: [Finding]) {
        let ranks = Dictionary(
            FindingCode.allCases.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        func rank(_ finding: Finding) -> (Int, Int, String, String) {
            (finding.severity == .error ? 0 : 1, ranks[finding.code] ?? 0, finding.subject, finding.message)
        }
        let sorted = Set(all).map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        errors = sorted.count { $0.severity == .error }
        warnings = sorted.count - errors
        var (findings, leftOut) = ([Finding](), [(severity: Finding.Severity, code: FindingCode, count: Int)]())
        var start = 0
        while start < sorted.count {
            let first = sorted[start]
            let group = sorted[start...].prefix { $0.severity == first.severity && $0.code == first.code }
            findings += group.prefix(Self.shown)
            if group.count > Self.shown { leftOut.append((first.severity, first.code, group.count - Self.shown)) }
            start += group.count
        }
        (self.findings, self.leftOut) = (findings, leftOut)
    }

    /// Whether there is an error; warnings do not count.
    package var hasErrors: Bool { errors > 0 }

    /// The report for people: two lines a finding, and a summary. All text is fit for a terminal.
    package var text: String {
        var lines: [String] = []
        for (index, finding) in findings.enumerated() {
            lines.append("\(finding.severity): \(finding.code.rawValue): \(finding.subject): \(finding.message)")
            lines.append("    \(finding.fix)")
            let next = index + 1 < findings.count ? findings[index + 1] : nil
            guard next?.code != finding.code || next?.severity != finding.severity,
                let more = leftOut.first(where: { $0.code == finding.code && $0.severity == finding.severity })
            else { continue }
            lines.append("\(finding.severity): \(finding.code.rawValue): and \(more.count) more")
        }
        lines.append(summary)
        return lines.map { VisibleText.escaped($0) + "\n" }.joined()
    }

    private var summary: String {
        guard errors + warnings > 0 else { return "no problem found" }
        return FindingText.count(errors, "error", "errors") + ", "
            + FindingText.count(warnings, "warning", "warnings")
    }

    /// The report as a JSON object.
    package var json: String {
        var writer = JSONWriter()
        writer.object { object in
            object.member("findings", objects: findings) { entry, finding in
                entry.member("severity", finding.severity.rawValue)
                entry.member("code", finding.code.rawValue)
                entry.member("subject", finding.subject)
                entry.member("message", finding.message)
                entry.member("fix", finding.fix)
            }
            object.member("left-out", objects: leftOut) { entry, more in
                entry.member("severity", more.severity.rawValue)
                entry.member("code", more.code.rawValue)
                entry.member("count", more.count)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
