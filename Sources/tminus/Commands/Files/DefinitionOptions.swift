internal import ArgumentParser
internal import TminusControl
internal import TminusCore

/// The keys that all kinds of definition have.
struct DefinitionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The id. Default: made from the name.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The name for people.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("More for people.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("A colour by name, or '#rrggbb'.", valueName: "color"))
    var color: String?

    @Option(
        help: ArgumentHelp("A text that is passed through to every payload. May be repeated.", valueName: "key=text"))
    var label: [String] = []

    @Flag(help: "List it, and keep it silent.")
    var disabled = false

    func validate() throws {
        if let wrong = label.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
            throw ValidationError("--label '\(wrong)': expected key=text")
        }
    }

    /// The id of a definition that is called `word` on the command line, and its name if that is another.
    func identity(_ word: String?) throws -> (id: String, name: String?) {
        guard let given = id ?? word ?? name else { throw ValidationError("a name is missing; give one, or --id") }
        let id = self.id ?? (DefinitionID.isValid(given) ? given : DefinitionSlug.of(given))
        guard !id.isEmpty else { throw ValidationError("no id can be made from '\(given)'; give one with --id") }
        let name = self.name ?? word
        return (id, name == id ? nil : name)
    }

    /// The first keys of the definition.
    func entries(name: String?) -> [Node.Entry] {
        var entries: [Node.Entry] = []
        entries.add("name", name)
        entries.add("description", description)
        entries.add("color", color)
        if !label.isEmpty {
            let labels = label.map { text -> Node.Entry in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Node.Entry(key: String(parts[0]), value: Node(.scalar(String(parts[1]))))
            }
            entries.append(Node.Entry(key: "labels", value: Node(.mapping(labels))))
        }
        if disabled { entries.add("enabled", "false") }
        return entries
    }
}

extension [Node.Entry] {
    /// Adds a key, if there is a value.
    mutating func add(_ key: String, _ text: String?) {
        if let text { append(Node.Entry(key: key, value: Node(.scalar(text)))) }
    }

    /// Adds a key with a list, if there is anything in it.
    mutating func add(_ key: String, list: [Node]) {
        if !list.isEmpty { append(Node.Entry(key: key, value: Node(.sequence(list)))) }
    }
}
