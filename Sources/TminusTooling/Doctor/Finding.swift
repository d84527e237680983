/// Something that `tminus doctor` found: what is wrong, where, and what to type.
package struct Finding: Sendable, Hashable {
    /// How bad it is.
    package enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Something does not work, or another user can do harm.
        case error
        /// Something may not work, or not much longer.
        case warning
    }

    /// How bad it is.
    package var severity: Severity
    /// What kind of thing it is.
    package var code: FindingCode
    /// Where it is: a path, a place in a file, a setting, a sink.
    package var subject: String
    /// What is wrong, in one line without a full stop.
    package var message: String
    /// What to do: commands to type, or words, in one line.
    package var fix: String

    /// A finding with all its parts.
    package init(_ severity: Severity, _ code: FindingCode, _ subject: String, _ message: String, fix: String) {
        self.severity = severity
        self.code = code
        self.subject = subject
        self.message = message
        self.fix = fix
    }
}

/// Texts of findings.
enum FindingText {
    /// The first three names, and how many more there are: `a, b, c and 4 more`.
    static func some(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    /// A number with its noun: `1 directory`, `2 directories`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
