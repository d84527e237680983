import Foundation
import Testing

@testable import TminusTooling

@Suite("The report of doctor")
struct DoctorReportTests {
    private static let findings = [
        Finding(
            .warning, .diskLow, "/var/lib/tminus", "only 200 MiB are free on the disk of the store", fix: "free space"),
        Finding(
            .error, .othersCanWrite, "/etc/tminus/a\u{1B}[2J\u{202E}b\n.yaml",
            "every user of this machine can write it, and so have tminus run commands", fix: "chmod o-w '/etc/x'"),
        Finding(.error, .storeDamaged, "/var/lib/tminus/tminus.sqlite", "is damaged: Tree 2 page 4", fix: "restore"),
    ]

    @Test("errors come first; text from outside cannot steer the terminal")
    func text() throws {
        let many = (0..<23).map { index in
            Finding(.warning, .sinkNeed, "many.yaml:\(index + 100)", "there is no program 'x'", fix: "install it")
        }
        try Golden.compare(DoctorReport(many + Self.findings).text, with: "doctor.txt")
        try Golden.compare(DoctorReport(many + Self.findings).json, with: "doctor.json")
    }

    @Test("without findings there is one line, and warnings alone are no error")
    func empty() {
        #expect(DoctorReport([]).text == "no problem found\n")
        #expect(DoctorReport([]).json == "{\"findings\":[],\"left-out\":[]}\n")
        #expect(!DoctorReport([Self.findings[0]]).hasErrors && DoctorReport(Self.findings).hasErrors)
        #expect(DoctorReport([Self.findings[0]]).text.hasSuffix("\n0 errors, 1 warning\n"))
    }

    @Test("at most 20 findings of a code are shown, whatever their number; equal ones are one")
    func bounded() {
        let many = (0..<100_000).map { Finding(.error, .fileBroken, "\($0).yaml:1", "m", fix: "f") }
        let report = DoctorReport(many + many)
        #expect(report.findings.count == 20 && report.leftOut.map(\.count) == [99_980])
        #expect(report.text.contains("error: file-broken: and 99980 more\n100000 errors, 0 warnings\n"))
    }

    @Test("the schema of the output has exactly the codes of the program")
    func schema() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Examples/schemas/doctor.schema.json")
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let parts = schema?["$defs"] as? [String: [String: Any]]
        #expect(parts?["code"]?["enum"] as? [String] == FindingCode.allCases.map(\.rawValue))
    }

    @Test("the table of the article has exactly the codes of the program")
    func article() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/TminusCore/TminusCore.docc/Operating.md")
        let article = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(article.range(of: "\n## Look for problems\n"))
        let section = article[start.upperBound...].components(separatedBy: "\n## ")[0]
        let rows = section.matches(of: /\n\| `([a-z-]+)` \| (error|warning|error or warning) \| [^|]+ \| [^|]+ \|/)
        #expect(rows.map { String($0.output.1) } == FindingCode.allCases.map(\.rawValue))
    }
}
