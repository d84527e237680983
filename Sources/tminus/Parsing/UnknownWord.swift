internal import TminusCore

/// A word of a command line that is neither a command nor an option of the program, with the nearest one.
struct UnknownWord: Sendable, Hashable {
    /// What the word was meant to be.
    enum Kind: Sendable, Hashable { case command, option }

    /// What the word was meant to be.
    var kind: Kind
    /// The commands before the word, the program first.
    var path: [String]
    /// The word as typed, an option without its value.
    var word: String
    /// The command or option that is likely meant.
    var suggestion: String?
    /// Whether the word may be the id of a definition, which the commands take as the option `--id`.
    var mayBeID = false

    /// The words that other programs use for our commands.
    private static let synonyms = [
        "cancel": "stop", "daemon": "run", "del": "remove", "delete": "remove", "lint": "check", "log": "history",
        "logs": "history", "ps": "list", "rm": "remove", "serve": "run", "test": "fire", "top": "watch",
        "validate": "check",
    ]

    /// The message: the word, the nearest one, and where all are listed.
    var message: String {
        let commands = path.dropFirst().joined(separator: " ")
        let isNested = !commands.isEmpty
        func told(_ name: String) -> String { kind == .command && isNested ? "\(commands) \(name)" : name }
        let place = kind == .option && isNested ? " of 'tminus \(commands)'" : ""
        let end =
            switch (kind, isNested) {
            case (.command, false): "'tminus help' lists all commands"
            case (.command, true): "'tminus help \(commands)' lists its commands"
            case (.option, _): "'\(path.joined(separator: " ")) --help' lists all options"
            }
        if mayBeID, suggestion == nil {
            let way = "'\(path.joined(separator: " ")) --id \(word)'"
            return "unknown command '\(told(word))'; for the definition '\(word)' use \(way); \(end)"
        }
        let hint = suggestion.map { ", did you mean '\(told($0))'? " } ?? "; "
        return "unknown \(kind == .command ? "command" : "option") '\(told(word))'\(place)\(hint)\(end)"
    }

    /// Finds the first unknown word; nil if all are known or a value is missing before it, which is another error.
    ///
    /// - Parameters:
    ///   - words: The command line without the program.
    ///   - program: All commands.
    static func first(in words: some Sequence<String>, of program: CommandTree) -> UnknownWord? {
        var (command, path) = (program, [program.commandName])
        var rest = Array(words)[...]
        let isHelp = rest.first == "help"
        if isHelp { rest = rest.dropFirst() }
        while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("-"), word.count > 1, Double(word) == nil else {
                if let next = command.subcommand(word) {
                    command = next
                    path.append(next.commandName)
                } else if isHelp || !command.takesWords {
                    return unknownCommand(word, command, path)
                }
                continue
            }
            guard let option = known(word, command) else {
                return isHelp ? nil : unknownOption(word, command, path)
            }
            guard option.takesValue, !word.contains("=") else { continue }
            guard let value = rest.popFirst(), !value.hasPrefix("-") || value.count == 1 || Double(value) != nil
            else { return nil }
        }
        return nil
    }

    /// The option that a word stands for; for several letters behind one dash, the last of them.
    private static func known(_ word: String, _ command: CommandTree) -> CommandTree.Argument? {
        let name = word.prefix { $0 != "=" }
        if name.hasPrefix("--") { return command.option(String(name.dropFirst(2)), isShort: false) }
        let letters = name.dropFirst().map { command.option(String($0), isShort: true) }
        return letters.contains { $0 == nil } ? nil : letters.last ?? nil
    }

    private static func unknownCommand(_ word: String, _ command: CommandTree, _ path: [String]) -> UnknownWord {
        let names = (command.subcommands ?? []).map(\.commandName)
        let meant = synonyms[word].flatMap { names.contains($0) ? $0 : nil } ?? nearest(to: word, in: names)
        let mayBeID = DefinitionID(word) != nil && command.option("id", isShort: false) != nil
        return UnknownWord(kind: .command, path: path, word: word, suggestion: meant, mayBeID: mayBeID)
    }

    private static func unknownOption(_ word: String, _ command: CommandTree, _ path: [String]) -> UnknownWord {
        let name = word.prefix { $0 != "=" }
        let names = command.options.flatMap { $0.names ?? [] }.filter { !$0.isShort }.map(\.name)
        let meant = nearest(to: String(name.drop { $0 == "-" }), in: names)
        return UnknownWord(kind: .option, path: path, word: String(name), suggestion: meant.map { "--\($0)" })
    }

    /// The name with a typing error at most; else the only one that abbreviates the word or that the word abbreviates.
    private static func nearest(to word: String, in names: [String]) -> String? {
        guard word.count > 1 else { return nil }
        if let near = Suggestion.nearest(to: word, in: names) { return near }
        let related = names.filter { abbreviates(word, $0) || abbreviates($0, word) }
        return Set(related).count == 1 ? related[0] : nil
    }

    /// Whether the short word has letters of the long one, in their order and from the first on.
    private static func abbreviates(_ short: String, _ long: String) -> Bool {
        guard short.count > 1, short.count < long.count, short.first == long.first else { return false }
        var rest = long[...]
        return short.allSatisfy { letter in
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
            return true
        }
    }
}
