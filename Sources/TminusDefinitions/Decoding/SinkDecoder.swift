import TminusCore

/// Decodes the sinks of a file and the actions that refer to them.
struct SinkDecoder {
    private let registry: SinkRegistry
    private let directory: String
    private let rootDirectory: String
    private let diagnostics: DiagnosticBag
    private var hints = Hints()
    /// All decoded action lists; equal lists share their memory.
    private var lists: Set<[SinkKey]> = []
    /// The names that an action may use, for messages; built on first use.
    private var known: [String]?
    /// The sinks that the file declares, by id.
    private(set) var own: [String: FileContent.DeclaredSink] = [:]
    /// The ids under `sinks` with an invalid sink. They have been reported, so an action that names one is not reported
    /// again.
    private(set) var broken: Set<String> = []
    /// The sinks of actions that no file declares.
    private(set) var undeclared: [SinkKey: SinkSpec] = [:]
    /// The sinks of other files that actions name.
    private(set) var foreign: Set<String> = []
    /// The sinks that other files declare; set before the first action is decoded.
    var names = SinkNames()

    /// Creates a decoder for a file in `directory`, relative to the config directory.
    init(registry: SinkRegistry, directory: String, rootDirectory: String, diagnostics: DiagnosticBag) {
        self.registry = registry
        self.directory = directory
        self.rootDirectory = rootDirectory
        self.diagnostics = diagnostics
    }

    /// Decodes `sinks`. Call it before the first action is decoded.
    mutating func declare(_ entries: [Node.Entry]) {
        for entry in entries {
            broken.insert(entry.key)
            guard DefinitionID.isValid(entry.key) else {
                diagnostics.error(FileDecoder.invalidID(entry.key, of: "a sink"), at: entry.keyRange)
                continue
            }
            guard registry[entry.key] == nil else {
                diagnostics.error(
                    "a sink cannot be called '\(entry.key)', that is a kind of sink; choose another id",
                    at: entry.keyRange)
                continue
            }
            guard let spec = spec(of: entry.value, named: entry.key, at: entry.keyRange) else { continue }
            broken.remove(entry.key)
            own[entry.key] = FileContent.DeclaredSink(spec: spec, range: entry.keyRange)
        }
    }

    /// The sinks of a list of actions, without duplicates. Invalid actions are reported and dropped.
    mutating func actions(_ nodes: [Node]) -> [SinkKey] {
        var keys: [SinkKey] = []
        var seen: Set<SinkKey> = []
        for node in nodes {
            guard let key = action(node) else { continue }
            if seen.insert(key).inserted {
                keys.append(key)
            } else {
                diagnostics.report(
                    .warning, "this sink is in the list already; it gets one delivery", at: node.range)
            }
        }
        return lists.insert(keys).memberAfterInsert
    }

    private mutating func action(_ node: Node) -> SinkKey? {
        switch node.content {
        case .scalar(let name): return named(name, at: node.range)
        case .mapping:
            guard let spec = spec(of: node, named: nil, at: node.range) else { return nil }
            // Of equal sinks the first gives its place.
            if undeclared[spec.key] == nil { undeclared[spec.key] = spec }
            return spec.key
        case .null:
            diagnostics.error("an action is missing here; write the id of a sink, or [] for no action", at: node.range)
            return nil
        case .sequence:
            diagnostics.error(
                "an action must be the id of a sink or a sink such as { shell: ./hook.sh }, not \(node.kindName)",
                at: node.range)
            return nil
        }
    }

    private mutating func named(_ name: String, at range: SourceRange) -> SinkKey? {
        if own[name] != nil { return SinkKey(name) }
        if broken.contains(name) { return nil }
        if names.known.contains(name) {
            foreign.insert(name)
            return SinkKey(name)
        }
        guard let kind = registry[name] else {
            reportUnknown(name, at: range)
            return nil
        }
        guard kind.options[name]?.isRequired != true else {
            diagnostics.error("'\(name)' needs options, write { \(name): ... }", at: range)
            return nil
        }
        // This sink is the same for all files, so it has the directory of none.
        let options = Node(.mapping([Node.Entry(key: name, value: Node(.null))]))
        let spec = SinkSpec(name: name, kind: name, options: options, directory: "")
        undeclared[spec.key] = spec
        return spec.key
    }

    private mutating func reportUnknown(_ name: String, at range: SourceRange) {
        if name.contains(" ") || name.contains("/") {
            // Its path may be a secret.
            let isAddress = name.hasPrefix("http://") || name.hasPrefix("https://")
            diagnostics.error(
                isAddress
                    ? "an address is not the id of a sink; to post to it, write { webhook: ... }"
                    : "'\(name)' is not the id of a sink; to run a command, write { shell: ... }", at: range)
            return
        }
        if let file = names.broken[name] {
            diagnostics.error("the sink '\(name)' is not in force: its declaration in '\(file)' has errors", at: range)
            return
        }
        let known = self.known ?? listKnown()
        self.known = known
        let hint = hints.phrase(for: name, in: known)
        let list = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", ..." : "")
        let reason =
            switch names.unread.count {
            case 0 where names.isAlone: " (a file named alone does not see the sinks of others: name the directory)"
            case 0: ""
            case 1: "; '\(names.unread[0])' has errors, so its sinks are not known"
            default: "; \(names.unread.count) files have errors, so their sinks are not known"
            }
        diagnostics.error("unknown sink '\(name)'\(hint.isEmpty ? ", known are: \(list)\(reason)" : hint)", at: range)
    }

    private func listKnown() -> [String] {
        let bare = registry.kinds.filter { $0.options[$0.kind]?.isRequired != true }.map { $0.kind }
        return names.known.union(own.keys).sorted() + bare
    }

    /// Decodes a mapping with exactly one key that names a kind of sink. Creates the sink once, to report its problems.
    private mutating func spec(of node: Node, named name: String?, at place: SourceRange) -> SinkSpec? {
        guard case .mapping(let entries) = node.content else {
            let example =
                registry.kinds.first { $0.options[$0.kind]?.isRequired == true }.map { " such as { \($0.kind): ... }" }
                ?? ""
            diagnostics.error("a sink must be a mapping\(example), not \(node.kindName)", at: node.range)
            return nil
        }
        let kinds = entries.filter { registry[$0.key] != nil }
        guard let first = kinds.first, let kind = registry[first.key] else {
            reportMissingKind(entries, at: place)
            return nil
        }
        if let second = kinds.dropFirst().first(where: { kind.options[$0.key] == nil }) {
            diagnostics.error(
                "a sink has one kind, here are '\(first.key)' and '\(second.key)'", at: second.keyRange,
                notes: [diagnostics.diagnostic(.note, "the first is here", at: first.keyRange)])
            return nil
        }
        let before = (count: diagnostics.diagnostics.count, omitted: diagnostics.omitted)
        // Problems of the mapping as a whole belong to its first line: the id of a named sink.
        let placed = Node(node.content, range: place)
        let sink = registry.make(
            read: SinkSpec(name: name, kind: first.key, options: placed, directory: directory), root: rootDirectory,
            reporting: diagnostics)
        let isSound =
            diagnostics.omitted == before.omitted
            && !diagnostics.diagnostics[before.count...].contains { $0.severity == .error }
        if sink == nil, isSound {
            diagnostics.error("this \(first.key) sink cannot be made of these options", at: place)
        }
        guard sink != nil, isSound else { return nil }
        return SinkSpec(
            name: name, kind: first.key, options: node.withoutMarks, directory: directory,
            usualOverlap: kind.overlap == .queue ? nil : kind.overlap,
            usualPlace: kind.place == .any ? nil : kind.place,
            label: name == nil ? SinkSpec.label(kind: first.key, options: node, place: self.place(node.range)) : nil)
    }

    /// The file, relative to the config directory, and the line of a range; nil for a definition without a file.
    private func place(_ range: SourceRange) -> String? {
        let location = SourceLocation(file: diagnostics.file, line: range.start.line, column: range.start.column)
        if location.isAdHoc { return nil }
        let inside = directory.isEmpty ? "" : "\(directory)/"
        return "\(inside)\(diagnostics.file.split(separator: "/").last ?? ""):\(range.start.line)"
    }

    private mutating func reportMissingKind(_ entries: [Node.Entry], at place: SourceRange) {
        let kinds = registry.kinds.map { $0.kind }
        let table = KeyTable("a sink", registry.kinds.compactMap { $0.options[$0.kind] })
        for entry in entries.prefix(16) {
            if let near = table.near(to: entry.key).first {
                diagnostics.error("unknown kind of sink '\(entry.key)', did you mean '\(near)'?", at: entry.keyRange)
                return
            }
        }
        diagnostics.error("a sink needs one of the keys \(kinds.joined(separator: ", "))", at: place)
    }
}
