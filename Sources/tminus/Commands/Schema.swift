internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// `tminus schema`
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of definition files, for editors. Needs no daemon.",
        discussion: """
            The schema is draft 2020-12. Editors with yaml-language-server apply it to files that begin with '# \
            yaml-language-server: $schema=PATH'.
            """
    )

    func run() throws {
        try StandardOutput.write(ConfigSchema.json(sinks: Daemon.standardSinks))
    }
}
