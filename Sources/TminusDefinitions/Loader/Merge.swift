import TminusCore

/// Puts the contents of all files together. Every step is linear in the number of definitions.
struct Merge {
    /// What is in force.
    private(set) var set = DefinitionSet()
    /// Who holds what now.
    private(set) var owners = Owners()
    /// Ids that another file holds, by the path of the file that does not get them.
    private(set) var diagnostics: [String: [Diagnostic]] = [:]
    /// How many definitions of each file are in force.
    private(set) var counts: [String: Int] = [:]

    // For the lines of both places of a conflict; made when there is one.
    private var bags: [String: DiagnosticBag] = [:]

    /// Nothing.
    init() {}

    /// The contents in `states`. `files` are in the order of their paths.
    init(files: [SourceFile], states: [String: FileState], rootPath: String?, previous: Owners) {
        let contents = files.compactMap { file in states[file.path]?.content.map { (file: file, content: $0) } }
        chooseOwners(contents, rootPath: rootPath, previous: previous)
        let byPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        addSinks(contents, byPath, states)
        addDefinitions(contents, byPath, states)
        bags = [:]
    }

    private mutating func chooseOwners(
        _ contents: [(file: SourceFile, content: FileContent)], rootPath: String?, previous: Owners
    ) {
        for (file, content) in contents {
            for item in content.items {
                let id = item.definition.id
                if owners.definitions[id] == nil || previous.definitions[id] == file.path {
                    owners.definitions[id] = file.path
                }
            }
            for name in content.sinks.keys {
                // Between two new ones that of the root file wins: all other files can see it.
                let isFirst = owners.sinks[name] == nil || (previous.sinks[name] == nil && file.path == rootPath)
                if isFirst || previous.sinks[name] == file.path { owners.sinks[name] = file.path }
            }
        }
    }

    private mutating func addSinks(
        _ contents: [(file: SourceFile, content: FileContent)], _ files: [String: SourceFile],
        _ states: [String: FileState]
    ) {
        for (file, content) in contents {
            for (name, sink) in content.sinks {
                guard let owner = owners.sinks[name], owner != file.path else {
                    set.sinks[sink.spec.key] = sink.spec
                    continue
                }
                let place = states[owner]?.content?.sinks[name]?.range
                report(
                    "the sink '\(name)' is declared in another file already; this one is not in force",
                    at: sink.range, of: file, other: (files[owner], place), states)
            }
        }
    }

    private mutating func addDefinitions(
        _ contents: [(file: SourceFile, content: FileContent)], _ files: [String: SourceFile],
        _ states: [String: FileState]
    ) {
        var places: [String: [DefinitionID: SourceRange]] = [:]
        for (file, content) in contents {
            let lost = Set(content.sinks.keys.filter { owners.sinks[$0] != file.path })
            for item in content.items {
                let id = item.definition.id
                if let owner = owners.definitions[id], owner != file.path {
                    if places[owner] == nil {
                        let items = states[owner]?.content?.items ?? []
                        places[owner] = Dictionary(
                            items.map { ($0.definition.id, $0.range) }, uniquingKeysWith: { first, _ in first })
                    }
                    report(
                        "the id '\(id)' is defined in another file already; this definition is not in force",
                        at: item.range, of: file, other: (files[owner], places[owner]?[id]), states)
                } else if let name = item.ownSinks.first(where: lost.contains) {
                    report(
                        "'\(id)' is not in force: it uses the sink '\(name)', which is declared in another file already",
                        at: item.range, of: file, other: (nil, nil), states)
                } else {
                    set.definitions[id] = item.definition
                    counts[file.path, default: 0] += 1
                }
            }
        }
        // A stale file may name a sink that nobody declares any more.
        for (_, content) in contents {
            set.sinks.merge(content.used) { first, _ in first }
        }
    }

    private mutating func report(
        _ message: String, at range: SourceRange, of file: SourceFile, other: (file: SourceFile?, range: SourceRange?),
        _ states: [String: FileState]
    ) {
        let path = file.path
        guard diagnostics[path, default: []].count < DiagnosticBag.limit else { return }
        let bag = bag(of: file, states)
        var note: Diagnostic?
        if let holder = other.file, let range = other.range {
            note = self.bag(of: holder, states).diagnostic(.note, "it is here", at: range)
        }
        diagnostics[path, default: []].append(
            bag.diagnostic(.error, message, at: range, notes: note.map { [$0] } ?? []))
    }

    /// The lines of a file; none of a stale one, where what is in force is not what is in it now.
    private mutating func bag(of file: SourceFile, _ states: [String: FileState]) -> DiagnosticBag {
        if let bag = bags[file.path] { return bag }
        var text = ""
        if case .bytes(let bytes) = file.content, states[file.path]?.isCurrent == true { text = SourceText(bytes).text }
        let bag = DiagnosticBag(file: states[file.path]?.display ?? file.path, text: text)
        bags[file.path] = bag
        return bag
    }
}
