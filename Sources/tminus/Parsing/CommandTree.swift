internal import Foundation

/// The commands of the program with the names of their options, as ArgumentParser describes them.
struct CommandTree: Decodable, Sendable {
    /// A name of an option, without its dashes.
    struct Name: Decodable, Sendable, Hashable {
        var kind: String
        var name: String

        var isShort: Bool { kind == "short" }
    }

    /// An argument: positional, an option with a value, or a flag.
    struct Argument: Decodable, Sendable {
        var kind: String
        var names: [Name]?

        var takesValue: Bool { kind == "option" }
    }

    var commandName: String
    var aliases: [String]?
    var defaultSubcommand: String?
    var subcommands: [CommandTree]?
    var arguments: [Argument]?

    /// Parses the JSON that `--experimental-dump-help` prints; nil if it has another form.
    static func parse(_ json: String) -> CommandTree? {
        struct Dump: Decodable { var command: CommandTree }
        return (try? JSONDecoder().decode(Dump.self, from: Data(json.utf8)))?.command
    }

    /// The subcommand with a name or alias.
    func subcommand(_ name: String) -> CommandTree? {
        subcommands?.first { $0.commandName == name || $0.aliases?.contains(name) == true }
    }

    /// The options that may follow the command's name: its own and those of its default subcommand.
    var options: [Argument] {
        (arguments ?? []).filter { $0.names != nil } + (defaultSubcommand.flatMap(subcommand)?.options ?? [])
    }

    /// The option with a name; nil if there is none.
    func option(_ name: String, isShort: Bool) -> Argument? {
        options.first { $0.names?.contains { $0.name == name && $0.isShort == isShort } == true }
    }

    /// Whether a word that names no subcommand may be a value.
    var takesWords: Bool {
        guard subcommands?.isEmpty == false else { return true }
        let standard = defaultSubcommand.flatMap(subcommand)
        return standard?.arguments?.contains { $0.kind == "positional" } == true
    }
}
