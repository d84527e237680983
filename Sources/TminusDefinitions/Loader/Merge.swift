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

    private var bags: [String: DiagnosticBag] = [:]

    /// Nothing.
    init() {}

    /// The contents in `states`. `files` are in the order of their paths.
    init(
        files: [SourceFile], states: [String: FileState], rootPath: String?, previous: Owners,
        display: (String) -> String
    ) {
        let contents = files.compactMap { file in states[file.path]?.content.map { (file: file, content: $0) } }
        chooseOwners(contents, rootPath: rootPath, previous: previous)

        // For the lines of both places; what is in force of a stale file is not what is in it now.
        for file in files {
            guard case .bytes(let bytes) = file.content else { continue }
            let isCurrent = states[file.path]?.isCurrent == true
            bags[file.path] = DiagnosticBag(
                file: display(file.path), text: isCurrent ? SourceText(bytes).text : "")
        }
        addSinks(contents, states)
        addDefinitions(contents, states)
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
        _ contents: [(file: SourceFile, content: FileContent)], _ states: [String: FileState]
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
                    at: sink.range, of: file.path, other: place, in: owner)
            }
        }
    }

    private mutating func addDefinitions(
        _ contents: [(file: SourceFile, content: FileContent)], _ states: [String: FileState]
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
                        at: item.range, of: file.path, other: places[owner]?[id], in: owner)
                } else if let name = item.ownSinks.first(where: lost.contains) {
                    report(
                        "'\(id)' is not in force: it uses the sink '\(name)', which is declared in another file already",
                        at: item.range, of: file.path, other: nil, in: file.path)
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
        _ message: String, at range: SourceRange, of path: String, other: SourceRange?, in owner: String
    ) {
        guard let bag = bags[path], diagnostics[path, default: []].count < DiagnosticBag.limit else { return }
        let note = other.flatMap { bags[owner]?.diagnostic(.note, "it is here", at: $0) }
        diagnostics[path, default: []].append(
            bag.diagnostic(.error, message, at: range, notes: note.map { [$0] } ?? []))
    }
}
