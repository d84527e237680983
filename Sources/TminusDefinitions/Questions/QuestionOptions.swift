package import TminusCore

/// Reads a question from command-line options.
package enum QuestionOptions {
    /// The question and its problems, located in the options; the question is nil if it has an error.
    ///
    /// Each option is a name without dashes and a value. The options `at`, `before` and `except` may be repeated.
    package static func read(
        _ options: [(name: String, value: String)], zones: any ZoneDatabase, now: Timestamp
    ) -> (question: RuleQuestion?, diagnostics: [Diagnostic]) {
        var lines: [String] = []
        var entries: [Node.Entry] = []
        for (index, option) in options.enumerated() {
            // One line per option, so that diagnostics can point at it. A value with line breaks is joined into one
            // line.
            let value = option.value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .joined(separator: " ")
            lines.append("--\(option.name) \(value)")
            let start = option.name.unicodeScalars.count + 4
            let node = Node(
                .scalar(option.value),
                range: range(index, start, start + max(1, value.unicodeScalars.count)))
            if let place = entries.firstIndex(where: { $0.key == option.name }) {
                switch entries[place].value.content {
                case .sequence(let items): entries[place].value.content = .sequence(items + [node])
                default: entries[place].value = Node(.sequence([entries[place].value, node]), range: node.range)
                }
            } else {
                entries.append(Node.Entry(key: option.name, keyRange: range(index, 1, start - 1), value: node))
            }
        }
        let diagnostics = DiagnosticBag(file: "command line", text: lines.joined(separator: "\n"))
        var decoder = QuestionDecoder(zones: zones)
        let question = decoder.decode(Node(.mapping(entries), range: range(0, 1, 2)), now: now, diagnostics)
        return (question, diagnostics.diagnostics.sorted { $0.location < $1.location })
    }

    private static func range(_ index: Int, _ start: Int, _ end: Int) -> SourceRange {
        SourceRange(
            start: SourceMark(line: index + 1, column: start), end: SourceMark(line: index + 1, column: end))
    }
}
