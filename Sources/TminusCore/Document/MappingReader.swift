/// Decodes one mapping by its table: checks the type of each key, and reports every problem and every unknown key.
///
/// A read returns nil if the key is absent, or if its value is wrong; wrong values have been reported.
public struct MappingReader {
    /// The table.
    public let table: KeyTable
    /// The range of the mapping.
    public let range: SourceRange
    /// The bag that collects problems.
    public let diagnostics: DiagnosticBag
    private var entries: [Node.Entry] = []
    /// The positions of keys in ``entries``; nil for small mappings, where a linear search is faster.
    private var index: [String: Int]?
    private static let fewEntries = 8
    /// Keys suggested for unknown ones. They are assumed to be meant, so they are not reported as missing as well.
    private var suggested: Set<String> = []

    /// Creates a reader of `node`. A node that is not a mapping is reported and reads as empty.
    public init(_ node: Node, table: KeyTable, diagnostics: DiagnosticBag) {
        self.init(node, table: table, diagnostics: diagnostics) { _ in nil }
    }

    /// Creates a reader. `place` describes where an unknown key belongs.
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
                let near = diagnostics.isFull ? [] : table.near(to: entry.key)
                suggested.formUnion(near)
                diagnostics.error(
                    near.isEmpty
                        ? "unknown key '\(entry.key)' in \(table.name), expected one of: "
                            + table.keys.map(\.name).joined(separator: ", ")
                        : "unknown key '\(entry.key)', did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?",
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

    /// Whether the mapping has the key, whatever its value.
    public func has(_ key: String) -> Bool { entry(key) != nil }

    /// Whether the mapping has neither the key nor an already reported misspelling of it.
    package func isMissing(_ key: String) -> Bool { entry(key) == nil && !suggested.contains(key) }

    /// The raw value of a key.
    public func node(_ key: String) -> Node? {
        // Checked in debug builds only: decoding one definition looks up about twenty keys, most of them absent.
        assert(table[key] != nil, "'\(key)' is not in the table '\(table.name)'")
        return entry(key)?.value
    }

    /// The range of a key, or of the whole mapping if the key is absent.
    public func keyRange(_ key: String) -> SourceRange { entry(key)?.keyRange ?? range }

    /// Reports an error at the value of a key, or at the mapping if the key is absent.
    public func error(_ message: String, at key: String) {
        diagnostics.error(message, at: entry(key)?.value.range ?? range)
    }

    /// Reports an error at an entry of the mapping under a key, or at the key's value if there is no such entry.
    public func error(_ message: String, at key: String, entry name: String) {
        guard case .mapping(let list)? = entry(key)?.value.content, let entry = list.first(where: { $0.key == name })
        else { return error(message, at: key) }
        diagnostics.error(message, at: entry.keyRange)
    }

    /// Names something outside the file that a sink needs. The value of the key names it, or a part of that value: a
    /// range of Unicode scalars of its text.
    public func needs(_ thing: SinkNeed.Thing, at key: String, part: Range<Int>? = nil) {
        guard let value = entry(key)?.value else { return }
        var range = value.range
        if let part, case .scalar(let text) = value.content {
            range = diagnostics.place(of: part, in: text, at: range)
        }
        diagnostics.need(thing, at: range)
    }

    /// Reports missing required keys and violated constraints. Call it last.
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

    /// The Boolean value of a key: `true` or `false`.
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

    /// A whole number within a range.
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

    /// A positive exact duration.
    public func duration(_ key: String) -> Duration? {
        guard let text = text(key) else { return nil }
        switch CalendarSpan.parseExactDuration(text) {
        case .failure(let problem):
            error("'\(key)': \(problem.message)", at: key)
        case .success(let duration):
            if duration > .zero { return duration }
            error("'\(key)' must be longer than zero", at: key)
        }
        return nil
    }

    /// One of several words, given as an enumeration.
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

    /// The items of a list, or a single value in place of a list.
    public func oneOrMore(_ key: String) -> [Node]? {
        guard let node = node(key) else { return nil }
        if case .sequence(let items) = node.content { return items }
        return [node]
    }

    /// The entries of a mapping with arbitrary keys, in the order of the file.
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

    /// A mapping whose values are texts, such as labels or headers.
    public func texts(_ key: String) -> [String: String]? {
        guard let entries = map(key) else { return nil }
        var result: [String: String] = [:]
        for entry in entries {
            result[entry.key] = Self.text(of: entry.value, for: entry.key, diagnostics)
        }
        return result
    }

    /// The text of a node under `key`. Any other kind of node is reported, with an example of what to write.
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
