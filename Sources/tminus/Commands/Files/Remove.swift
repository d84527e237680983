internal import ArgumentParser
internal import Glibc
internal import TminusCore
internal import TminusDaemon

/// `tminus remove`
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a definition from its file. Needs no daemon.",
        discussion: """
            The definition goes with its comments: those directly above it, at the same indentation, and those in its lines. The \
            rest of the file stays as it is, byte for byte; of two blank lines that would meet, one goes. On a terminal the lines are \
            shown, and you are asked first.
            """
    )

    @Argument(help: "The id of the definition.", completion: IDCompletion.kind)
    var id: String

    @Flag(name: [.long, .customShort("y")], help: "Do not ask.")
    var yes = false

    @OptionGroup var options: ConfigOptions

    func run() async throws {
        try reportingRefusals {
            let files = try options.files()
            let isAsking = !yes && isatty(STDIN_FILENO) == 1
            let outcome = try files.remove(id, file: options.file) { place, lines in
                guard isAsking else { return true }
                return Question.ask(
                    (["\(place.file):\(place.line)"] + lines).joined(separator: "\n")
                        + "\nremove \(place.kind.rawValue) '\(place.id)'? [y/N] "
                )?.lowercased().hasPrefix("y") == true
            }
            guard let outcome else {
                StandardError.shared.write("tminus: nothing was removed\n")
                StandardError.shared.flush()
                return
            }
            try write(outcome.place)
        }
    }

    private func write(_ place: ConfigFiles.Place) throws {
        guard options.json else {
            return try StandardOutput.write(
                "removed \(place.kind.rawValue) '\(place.id)' from \(place.file):\(place.line)\n")
        }
        var writer = JSONWriter()
        writer.object { object in
            object.member("action", "removed")
            object.member("id", place.id)
            object.member("kind", place.kind.rawValue)
            object.member("file", place.file)
            object.member("line", place.line)
        }
        try StandardOutput.write(writer.bytes + [UInt8(ascii: "\n")])
    }
}
