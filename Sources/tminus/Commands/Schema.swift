internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// `tminus schema`
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of definition files, for editors. Needs no daemon.",
        discussion: """
            Draft 2020-12. An editor with yaml-language-server uses it for a file that begins with the line \
            '# yaml-language-server: $schema=PATH'.
            """
    )

    func run() throws {
        try StandardOutput.write(ConfigSchema.json(sinks: Daemon.standardSinks))
    }
}
