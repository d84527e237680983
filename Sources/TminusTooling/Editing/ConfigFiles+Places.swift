package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

extension ConfigFiles {
    /// The places of all definitions, including invalid ones, file by file.
    var places: [Place] {
        contents.files.flatMap { file in
            (document(file.path)?.entries ?? []).flatMap { section -> [Place] in
                guard let kind = DefinitionKind.allCases.first(where: { $0.section == section.key }) else { return [] }
                return section.value.entries.map {
                    Place(
                        id: $0.key, kind: kind, file: shown(file.path), line: $0.keyRange.start.line, path: file.path)
                }
            }
        }
    }

    /// Whether a file defines that id.
    package func defines(_ id: String) -> Bool { places.contains { $0.id == id } }

    /// The place of a definition, in the given file if there is one.
    ///
    /// - Throws: If there is no such definition, with similar ids, or if there are several.
    package func place(of id: String, in file: String?) throws(EditRefusal) -> Place {
        var candidates = places
        if let file {
            let path = try existing(file)
            candidates.removeAll { $0.path != path }
        }
        let found = candidates.filter { $0.id == id }
        if found.count > 1 {
            let list = found.map { "\($0.file):\($0.line)" }.joined(separator: " and ")
            throw EditRefusal(.badData, "'\(id)' is defined in \(list); name one of the files with --file")
        }
        if let place = found.first { return place }
        let broken = contents.files.filter { document($0.path) == nil }.map { shown($0.path) }
        let hint = Suggestion.phrase(for: id, in: candidates.map(\.id))
        let unread =
            broken.isEmpty
            ? ""
            : "; not looked for in \(broken.joined(separator: ", ")), which cannot be read: try 'tminus edit --file'"
        throw EditRefusal(.badData, "no definition '\(id)' in \(shown(""))\(hint)\(hint.isEmpty ? unread : "")")
    }

    /// The path, below the directory, of the file for a new definition. It is the named file, else the only one, else
    /// the one named like the section, else the root file, else a new one named like the section.
    func pathForNew(_ kind: DefinitionKind, file: String?) throws(EditRefusal) -> String {
        if let file { return try path(of: file) }
        let paths = contents.files.map(\.path)
        if paths.count == 1 { return paths[0] }
        if paths.isEmpty { return "tminus.yaml" }
        let names = [kind.section, "tminus"].flatMap { name in ["yaml", "yml", "json"].map { "\(name).\($0)" } }
        return names.first(where: paths.contains) ?? "\(kind.section).yaml"
    }

    /// The path, below the directory, of a file. The user named it relative to the directory or to the working
    /// directory.
    func path(of file: String) throws(EditRefusal) -> String {
        if isDaemon {
            guard !has(file), let objection = objection(toNew: file) else { return file }
            throw EditRefusal(.usage, objection)
        }
        let root = contents.root
        var path = file
        if !contents.files.contains(where: { $0.path == file }) {
            let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
            let directory = MachinePaths.absolute(slash.map { String(file[..<$0]) } ?? ".")
            let name = slash.map { String(file[file.utf8.index(after: $0)...]) } ?? file
            if directory == root {
                path = name
            } else if directory.hasPrefix("\(root)/") {
                path = "\(directory.dropFirst(root.count + 1))/\(name)"
            } else if file.hasPrefix("/") || file.split(separator: "/").contains("..") {
                throw EditRefusal(.usage, "\(file): is not below \(shown(""))")
            }
        }
        let names = path.split(separator: "/")
        guard names.allSatisfy({ !DefinitionPath.isHidden($0) }),
            names.last.map({ DefinitionPath.isDefinition($0) }) == true
        else {
            throw EditRefusal(
                .usage, "\(file): would not be read; a definition file ends in .yaml, .yml or .json and is not hidden")
        }
        return path
    }

    /// The same for a file that must exist.
    func existing(_ file: String) throws(EditRefusal) -> String {
        let path = try path(of: file)
        guard contents.files.contains(where: { $0.path == path }) else {
            throw EditRefusal(.inputOutput, "\(shown(path)): \(gap ?? "there is no such file")")
        }
        return path
    }
}

extension DefinitionKind {
    /// The section of a file for definitions of this kind.
    package var section: String { self == .stopwatch ? "stopwatches" : "\(rawValue)s" }
}
