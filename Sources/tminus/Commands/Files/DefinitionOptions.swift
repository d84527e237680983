internal import ArgumentParser
internal import TminusCore

/// The options for the keys common to all kinds of definition.
struct DefinitionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The id. Default: derived from the name.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("The display name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("The description.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("A colour name or '#rrggbb'.", valueName: "color"))
    var color: String?

    @Option(
        help: ArgumentHelp("A label that every payload carries. May be repeated.", valueName: "key=text"))
    var label: [String] = []

    @Flag(help: "List the definition but send nothing for it.")
    var disabled = false

    func validate() throws {
        if let wrong = label.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
            throw ValidationError("--label '\(wrong)': expected key=text")
        }
    }

    /// Derives the id from `--id`, else from `word` or `--name`. Returns the name too if it differs from the id.
    func identity(_ word: String?) throws -> (id: String, name: String?) {
        let given = GivenName(id: id, words: word, name: name)
        guard let source = given.source else { throw ValidationError("the name is missing; give one, or --id") }
        guard let id = given.id else { throw ValidationError("no id can be made from '\(source)'; give one with --id") }
        return (id, given.name)
    }

    /// The definition's leading keys, `name` first.
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
    /// Appends a key if it has a value.
    mutating func add(_ key: String, _ text: String?) {
        if let text { append(Node.Entry(key: key, value: Node(.scalar(text)))) }
    }

    /// Appends a key with a list unless the list is empty.
    mutating func add(_ key: String, list: [Node]) {
        if !list.isEmpty { append(Node.Entry(key: key, value: Node(.sequence(list)))) }
    }
}
