import TminusCore

/// Parses the supported YAML subset: one document of mappings, lists and text.
struct YAMLReader {
    /// Ends the parsing after an error that was reported.
    private struct Stop: Error {}

    private let source: SourceText
    private let diagnostics: DiagnosticBag
    private let lines: LineIndex

    /// Creates a reader of `source`.
    init(_ source: SourceText, diagnostics: DiagnosticBag) {
        self.source = source
        self.diagnostics = diagnostics
        lines = LineIndex(source.bytes)
    }

    /// The document; nil if the syntax is invalid. A text without a document is an empty mapping.
    mutating func read() -> Node? {
        source.bytes.withUnsafeBufferPointer { text -> Node? in
            guard let events = YAMLEvents(text) else {
                diagnostics.error("not enough memory to parse the file", at: .none)
                return nil
            }
            return try? document(events)
        }
    }

    private func document(_ events: borrowing YAMLEvents) throws(Stop) -> Node {
        guard case .document = try next(events).event else {
            return Node(.mapping([]), range: range(0, 0))
        }
        let root = try node(events, try next(events), depth: 0)
        _ = try next(events)
        let (event, start, _) = try next(events)
        if case .document = event {
            diagnostics.error(
                "a second document begins here; put it into a file of its own, or remove the '---'",
                at: range(start, start + 3))
        }
        return root
    }

    private func next(_ events: borrowing YAMLEvents) throws(Stop) -> (event: YAMLEvents.Event, start: Int, end: Int) {
        do {
            return try events.next()
        } catch {
            let problem = YAMLProblem(error, in: source, lines)
            let notes = problem.opening.map { [diagnostics.diagnostic(.note, "it begins here", at: $0)] } ?? []
            diagnostics.error(problem.message, at: problem.range, notes: notes)
            throw Stop()
        }
    }

    /// The node that begins with `first`. The depth limit bounds the recursion.
    private func node(
        _ events: borrowing YAMLEvents, _ first: (event: YAMLEvents.Event, start: Int, end: Int), depth: Int
    ) throws(Stop) -> Node {
        let (event, start, end) = first
        guard depth <= DocumentReader.depthLimit else {
            diagnostics.error(DocumentReader.tooDeep, at: range(start, start + 1))
            throw Stop()
        }
        switch event {
        case .scalar(let text, let isAbsent, let properties):
            check(properties, at: start)
            if text.utf8.contains(0) {
                diagnostics.error("a NUL character is not allowed", at: range(start, end))
            }
            // The range includes an anchor or a tag before the text.
            let isNothing = isAbsent && properties.anchor == nil && properties.tag == nil
            return Node(isNothing ? .null : .scalar(text), range: range(start, end))
        case .alias(let name):
            diagnostics.error(
                "aliases are not supported, write the value here instead of '*\(name)'", at: range(start, end))
            return Node(.scalar("*\(name)"), range: range(start, end))
        case .sequence(let properties, let isFlow):
            check(properties, at: start)
            return try sequence(events, start: start, isFlow: isFlow, depth: depth)
        case .mapping(let properties, let isFlow):
            check(properties, at: start)
            return try mapping(events, start: start, isFlow: isFlow, depth: depth)
        default:
            return Node(.null, range: range(start, end))
        }
    }

    private func sequence(_ events: borrowing YAMLEvents, start: Int, isFlow: Bool, depth: Int) throws(Stop) -> Node {
        var items: [Node] = []
        while true {
            let item = try next(events)
            if case .end = item.event {
                return Node(.sequence(items), range: range(start, isFlow ? item.end : start + 1))
            }
            items.append(try node(events, item, depth: depth + 1))
        }
    }

    private func mapping(_ events: borrowing YAMLEvents, start: Int, isFlow: Bool, depth: Int) throws(Stop) -> Node {
        var entries: [Node.Entry] = []
        var places: [String: SourceRange] = [:]
        while true {
            let first = try next(events)
            if case .end = first.event {
                return Node(.mapping(entries), range: range(start, isFlow ? first.end : start + 1))
            }
            let key = try node(events, first, depth: depth + 1)
            let value = try node(events, try next(events), depth: depth + 1)
            switch key.content {
            case .scalar("<<"):
                diagnostics.error("merge keys are not supported, write the keys here", at: key.range)
            case .scalar(let name):
                if case .alias = first.event { continue }
                if let place = places[name] {
                    diagnostics.error(
                        "the key '\(name)' is here for the second time", at: key.range,
                        notes: [diagnostics.diagnostic(.note, "the first is here", at: place)])
                } else {
                    places[name] = key.range
                    entries.append(Node.Entry(key: name, keyRange: key.range, value: value))
                }
            case .null:
                diagnostics.error("a key is missing before the ':'", at: key.range)
            case .sequence, .mapping:
                diagnostics.error("a key must be text, not \(key.kindName); put it in quotes", at: key.range)
            }
        }
    }

    private func check(_ properties: YAMLEvents.Properties, at start: Int) {
        if let tag = properties.tag {
            diagnostics.error(
                "tags such as \(Self.written(tag)) are not supported, remove it: the key decides what a value is",
                at: range(start, start + 1))
        }
        if let anchor = properties.anchor {
            diagnostics.error(
                "anchors are not supported, remove '&\(anchor)'",
                at: range(start, start + (properties.tag == nil ? anchor.unicodeScalars.count + 1 : 1)))
        }
    }

    private static func written(_ tag: String) -> String {
        let core = "tag:yaml.org,2002:"
        return "'" + (tag.hasPrefix(core) ? "!!" + tag.dropFirst(core.count) : tag) + "'"
    }

    private func range(_ start: Int, _ end: Int) -> SourceRange {
        SourceRange(start: lines.mark(ofScalar: start), end: lines.mark(ofScalar: end))
    }
}
