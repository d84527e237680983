/// Decodes one mapping by its table: each key by its type, every problem reported, unknown keys with a suggestion.
///
/// A read returns nil when the key is absent and when its value is wrong; the latter has been reported.
public struct MappingReader {
    /// The table.
    public let table: KeyTable
    /// Where the mapping stands.
    public let range: SourceRange
    /// Where problems go.
    public let diagnostics: DiagnosticBag
    private var entries: [Node.Entry] = []
    /// Where in ``entries`` a key is; nil where there are so few that looking through them is faster.
    private var index: [String: Int]?
    private static let fewEntries = 8
    /// Keys that were suggested for unknown ones: whoever wrote those meant these, so they are not missing as well.
    private var suggested: Set<String> = []

    /// A reader of `node`. A node that is not a mapping is reported and reads as empty.
    public init(_ node: Node, table: KeyTable, diagnostics: DiagnosticBag) {
        self.init(node, table: table, diagnostics: diagnostics) { _ in nil }
    }

    /// The same; `place` says in words where a key belongs that the table does not have.
    package init(_ node: Node, table: KeyTable, diagnostics: DiagnosticBag, place: (String) -> String?) {
        self.table = table
        self.diagnostics = diagnostics
        range = node.range
        switch node.content {
        case .mapping(let list):
            entries = list
            if list.count > Self.fewEntries {
                index = Dictionary(
                    list.indices.map { (list[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
            }
            for entry in list where table[entry.key] == nil {
                if let place = place(entry.key) {
                    diagnostics.error("unknown key '\(entry.key)' in \(table.name); \(place)", at: entry.keyRange)
                    continue
                }
                let names = table.keys.map(\.name)
                let near = diagnostics.isFull ? nil : Suggestion.nearest(to: entry.key, in: names)
                if let near { suggested.insert(near) }
                diagnostics.error(
                    near.map { "unknown key '\(entry.key)', did you mean '\($0)'?" }
                        ?? "unknown key '\(entry.key)' in \(table.name), expected one of: \(names.joined(separator: ", "))",
                    at: entry.keyRange)
            }
        case .null: break
        default:
            let example =
                table.keys.first { ($0.isRequired || table.isChoice($0.name)) && $0.example != nil }
                ?? table.keys.first { $0.example != nil }
            let hint = example.map { ", such as { \($0.name): \($0.example ?? "") }" } ?? ""
            diagnostics.error(
                "\(table.name) must be a mapping of keys to values\(hint), not \(node.kindName)", at: node.range)
        }
    }

    private func entry(_ key: String) -> Node.Entry? {
        if let index { return index[key].map { entries[$0] } }
        for position in entries.indices where entries[position].key == key { return entries[position] }
        return nil
    }

    /// Whether the mapping has the key, with whatever value.
    public func has(_ key: String) -> Bool { entry(key) != nil }

    /// Whether the mapping has neither the key nor a misspelt form of it, which has been reported.
    package func isMissing(_ key: String) -> Bool { entry(key) == nil && !suggested.contains(key) }

    /// The raw value of a key.
    public func node(_ key: String) -> Node? {
        // In debug builds only: decoding one definition asks for some twenty keys, most of them absent.
        assert(table[key] != nil, "'\(key)' is not in the table '\(table.name)'")
        return entry(key)?.value
    }

    /// Where a key stands; the whole mapping if it is absent.
    public func keyRange(_ key: String) -> SourceRange { entry(key)?.keyRange ?? range }

    /// Reports an error at a key's value, or at the mapping if the key is absent.
    public func error(_ message: String, at key: String) {
        diagnostics.error(message, at: entry(key)?.value.range ?? range)
    }

    /// Reports an error at an entry of a key's mapping, or at the key's value if it has no such entry.
    public func error(_ message: String, at key: String, entry name: String) {
        guard case .mapping(let list)? = entry(key)?.value.content, let entry = list.first(where: { $0.key == name })
        else { return error(message, at: key) }
        diagnostics.error(message, at: entry.keyRange)
    }

    /// Reports required keys that are absent and breaches of the rules of the table. Called last.
    public func finish() {
        for key in table.keys where key.isRequired && isMissing(key.name) {
            diagnostics.error("\(table.name) needs the key '\(key.name)': \(key.summary)", at: range)
        }
        for rule in table.rules { check(rule) }
    }

    private func check(_ rule: KeyTable.Rule) {
        switch rule {
        case .exactlyOne(let keys):
            let present = keys.compactMap { entry($0) }.sorted { $0.keyRange.start < $1.keyRange.start }
            if let first = present.first {
                for second in present.dropFirst() {
                    diagnostics.error(
                        "\(table.name) has '\(first.key)' or '\(second.key)', not both", at: second.keyRange,
                        notes: [diagnostics.diagnostic(.note, "the first is here", at: first.keyRange)])
                }
            } else if keys.allSatisfy(isMissing) {
                let names = keys.map { "'\($0)'" }
                let list =
                    names.count > 2
                    ? "one of the keys \(names.joined(separator: ", "))" : names.joined(separator: " or ")
                diagnostics.error("\(table.name) needs \(list)", at: range)
            }
        case .needs(let key, let other, let exception, let reason):
            guard let entry = self.entry(key) else { return }
            let isExcepted = exception.map { self.entry(other)?.value.content == .scalar($0) } ?? false
            if isMissing(other) || isExcepted {
                diagnostics.error("'\(key)' needs '\(other)': \(reason)", at: entry.keyRange)
            }
        }
    }

    /// The text of a key.
    public func text(_ key: String) -> String? {
        guard let node = node(key), let entry = table[key] else { return nil }
        if node.content == .null, entry.isRequired {
            error("'\(key)' has no value; write one\(entry.example.map { ", such as \($0)" } ?? "")", at: key)
            return nil
        }
        return Self.text(of: node, for: key, example: entry.example, diagnostics)
    }

    /// `true` or `false`.
    public func boolean(_ key: String) -> Bool? {
        guard let text = text(key) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            let hint = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
            error("'\(key)' must be true or false, not '\(text)'\(hint.map { "; write \($0)" } ?? "")", at: key)
            return nil
        }
    }

    /// A whole number in a range.
    public func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = text(key) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            if Int(text) == nil, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                error("'\(key)' can be at most \(range.upperBound), not '\(text)'", at: key)
                return nil
            }
            let bounds =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            error("'\(key)' must be a whole number \(bounds), not '\(text)'", at: key)
            return nil
        }
        return value
    }

    /// A positive exact length of time.
    public func duration(_ key: String) -> Duration? {
        guard let text = text(key) else { return nil }
        switch CalendarSpan.parseDuration(text) {
        case .failure(let problem):
            error("'\(key)': \(problem.message)", at: key)
        case .success(let duration):
            if duration > .zero { return duration }
            error("'\(key)' must be longer than zero", at: key)
        }
        return nil
    }

    /// One of several words.
    public func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let hint = Suggestion.phrase(for: text, in: names)
        error(
            "'\(key)' must be one of \(names.joined(separator: ", ")), not '\(text)'\(hint)", at: key)
        return nil
    }

    /// The items of a list.
    public func list(_ key: String) -> [Node]? {
        guard let node = node(key) else { return nil }
        guard case .sequence(let items) = node.content else {
            error("'\(key)' must be a list, such as [a, b], not \(node.kindName)", at: key)
            return nil
        }
        return items
    }

    /// The items of a list, or the single value that stands in its place.
    public func oneOrMore(_ key: String) -> [Node]? {
        guard let node = node(key) else { return nil }
        if case .sequence(let items) = node.content { return items }
        return [node]
    }

    /// The entries of a mapping with free keys, in the order of the file.
    public func map(_ key: String) -> [Node.Entry]? {
        guard let node = node(key) else { return nil }
        switch node.content {
        case .mapping(let entries): return entries
        case .null: return []
        default:
            let example = table[key]?.example.map { ", such as \($0)" } ?? ""
            error("'\(key)' must be a mapping of keys to values\(example), not \(node.kindName)", at: key)
            return nil
        }
    }

    /// A mapping of texts, such as labels or headers.
    public func texts(_ key: String) -> [String: String]? {
        guard let entries = map(key) else { return nil }
        var result: [String: String] = [:]
        for entry in entries {
            result[entry.key] = Self.text(of: entry.value, for: entry.key, diagnostics)
        }
        return result
    }

    /// The text of a node that belongs to `key`; reports any other kind of node, with an example of what to write.
    public static func text(
        of node: Node, for key: String, example: String? = nil, _ diagnostics: DiagnosticBag
    ) -> String? {
        if case .scalar(let text) = node.content { return text }
        diagnostics.error(
            node.content == .null
                ? "'\(key)' has no value; write one\(example.map { ", such as \($0)," } ?? ",") or leave the key out"
                : "'\(key)' must be a single value\(example.map { " such as \($0)" } ?? ""), not \(node.kindName)",
            at: node.range)
        return nil
    }
}
