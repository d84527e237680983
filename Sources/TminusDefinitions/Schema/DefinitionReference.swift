package import TminusCore

/// The reference of definition files in Markdown, generated from the tables that decode them.
package struct DefinitionReference {
    private let kinds: [any Sink.Type]

    /// Creates the reference for these kinds of sinks.
    package init(_ sinks: SinkRegistry) {
        kinds = sinks.kinds
    }

    /// The Markdown text, with a final line break.
    package var text: String {
        var parts = [ReferenceProse.introduction, "```yaml\n\(ReferenceProse.sample)```", ReferenceProse.files]
        for (name, table) in DefinitionKeys.tables where name != "retry" {
            parts.append("## \(ReferenceProse.title(of: name))")
            if let prose = ReferenceProse.section(name) { parts.append(prose) }
            parts.append(rows(table))
            parts += table.rules.map(sentence)
        }
        parts += ["## Sinks", ReferenceProse.sinks, rows(KeyTable("a sink", SinkPolicy.keys))]
        parts += ["### \(ReferenceProse.title(of: "retry"))", rows(SinkPolicy.retryTable)]
        for kind in kinds {
            parts.append("### \(kind.kind)")
            parts.append(rows(kind.options))
        }
        parts += [ReferenceProse.values, ReferenceProse.editors]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func rows(_ table: KeyTable) -> String {
        var lines = ["| key | value | meaning | default | example |", "| --- | --- | --- | --- | --- |"]
        for key in table.keys {
            let absent = key.otherwise ?? key.standard.map { "`\($0)`" } ?? (key.isRequired ? "required" : "")
            let example = key.example.map { "`\(key.name): \($0)`" } ?? "`\(key.name):`"
            let cells = ["`\(key.name)`", words(key.type), code(key.summary), code(absent), example]
            lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    /// The text with quoted words formatted as code.
    private func code(_ text: String) -> String {
        text.replacing(/(^|[ (])'([^']+)'/) { "\($0.1)`\($0.2)`" }
    }

    private func sentence(_ rule: KeyTable.Rule) -> String {
        switch rule {
        case .exactlyOne(let keys):
            "Exactly one of \(keys.map { "`\($0)`" }.joined(separator: ", ")) is required."
        case .needs(let key, let other, let exception, let reason):
            "`\(key)` needs a `\(other)`\(exception.map { " that is not `\($0)`" } ?? ""): \(reason)."
        }
    }

    private func words(_ type: KeyTable.ValueType) -> String {
        switch type {
        case .text: "text"
        case .nothing: "nothing"
        case .boolean: "`true` or `false`"
        case .integer(let range):
            range.upperBound == .max
                ? "whole number from \(range.lowerBound)" : "whole number \(range.lowerBound) to \(range.upperBound)"
        case .duration: "duration"
        case .lead: "lead time"
        case .dateTime: "date and time"
        case .cron: "cron expression"
        case .recurrence: "recurrence rule"
        case .zone: "time zone"
        case .hexColor: "`#rrggbb`"
        case .url: "URL"
        case .line: "text"
        case .filePath, .directoryPath: "path"
        case .byteCount: "size"
        case .rate: "rate"
        case .machineLabels: "list of labels"
        case .secret: "secret"
        case .anything: "anything"
        case .action: "action"
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .oneOrMore(let item): "\(words(item)), or a list of at least one"
        case .zeroOrMore(let item): "\(words(item)), or a list"
        case .list(let item): "list of: \(words(item))"
        case .map(let item): "mapping of names to \(words(item))"
        case .byID(let table): "mapping of ids to: \(ReferenceProse.noun(table))"
        case .table(let table): ReferenceProse.noun(table)
        case .keyed(let name, let item): "`{ \(name): }` with \(words(item))"
        case .either(let forms): forms.map(words).joined(separator: " or ")
        }
    }
}
