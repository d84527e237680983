internal import ArgumentParser
internal import Glibc
internal import TminusCore
internal import TminusDaemon

/// `tminus check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Validate definition files. Needs no daemon.",
        discussion: "Reports every problem of every file. Exit status 0 if there is no error, 65 if there is one."
    )

    /// How problems are written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case github
    }

    @Argument(help: "Directories and files. Default: the directory that 'tminus run' would watch.")
    var paths: [String] = []

    @Flag(help: "Write a JSON array; the same as --format json.")
    var json = false

    @Option(help: "How problems are written: text, json, or github (annotations of a workflow).")
    var format = Format.text

    @Option(help: "The largest definition file that is read, in bytes.")
    var maxFileSize = 1 << 20

    func run() async throws {
        let result: CheckResult
        do {
            result = try CheckResult.of(paths: paths, maxFileSize: maxFileSize, sinks: StandardSinks.all)
        } catch {
            StandardError.shared.write("tminus: \(error)\n")
            StandardError.shared.flush()
            throw ExitStatus.code(of: error)
        }
        switch json ? .json : format {
        case .text:
            StandardError.shared.write(DiagnosticText.render(result.diagnostics))
            StandardError.shared.flush()
            print(result.summary)
        case .json: print(DiagnosticText.json(result.diagnostics))
        case .github: print(DiagnosticText.github(result.diagnostics), terminator: "")
        }
        if result.hasErrors { throw ExitStatus.badData }
    }
}
