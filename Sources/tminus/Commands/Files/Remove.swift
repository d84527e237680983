internal import ArgumentParser
internal import Glibc
internal import TminusControl
internal import TminusCore
internal import TminusDaemon
internal import TminusTooling

/// `tminus remove`
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a definition from its file, or an ad-hoc item from the daemon.",
        discussion: """
            Removes the definition and its comments: those directly above it at the same indentation, and those on its \
            lines. The rest of the file stays the same, byte for byte, except that one of two adjoining blank lines is \
            dropped. On a terminal, the command shows the lines and asks first. Needs no daemon.

            If no file has the id, the command asks a running daemon for an ad-hoc timer or stopwatch with that id, \
            one made without a file. If both exist, the ad-hoc one is removed first, unless --file is given.
            """
    )

    @Argument(help: "The id of the definition.", completion: IDCompletion.kind)
    var id: String

    @Flag(name: [.long, .customShort("y")], help: "Do not ask.")
    var yes = false

    @OptionGroup var options: ConfigOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    private var isAsking: Bool { !yes && isatty(STDIN_FILENO) == 1 }

    func run() async throws {
        let directory = await options.directory(socket: control.socket, state: control.state)
        let daemon = options.file == nil ? try await removeFromDaemon(directory) : .hasNone
        if daemon == .removed { return }
        try removeFromFile(directory, isUnanswered: daemon == .isSilent)
    }

    /// The result of asking the daemon to remove an ad-hoc item.
    private enum DaemonAnswer { case removed, hasNone, isSilent }

    /// Removes an ad-hoc item with this id, if the daemon has one.
    private func removeFromDaemon(_ directory: String?) async throws -> DaemonAnswer {
        let files = try? options.files(in: directory)
        let item: Item?
        do {
            let path = try ControlSocketPath.ofDaemon(socket: control.socket, state: control.state)
            item = try await ControlClient.connected(to: path) { client in
                // If a file has the id, only the daemon that watches these files counts.
                if let files, files.defines(id), try await client.status().config != files.root { return nil }
                return try await client.item(id)
            }
        } catch {
            // Continue with the files: they decide whether the id exists.
            let isSilent = (error as? ControlFailure)?.kind == .noDaemon || (error as? DaemonError)?.kind == .standsBy
            return isSilent ? .isSilent : .hasNone
        }
        guard let item, item.file == nil else { return .hasNone }
        guard !isAsking || Self.isYes(Question.ask("remove \(item.kind.rawValue) '\(id)', which has no file? [y/N] "))
        else {
            Self.sayNothingRemoved()
            return .removed
        }
        try await control.ask { try await $0.remove(id) }
        guard options.json else {
            try StandardOutput.write("removed \(item.kind.rawValue) '\(id)', which had no file\n")
            return .removed
        }
        var writer = JSONWriter()
        writer.object { object in
            object.member("action", "removed")
            object.member("id", id)
            object.member("kind", item.kind.rawValue)
        }
        try StandardOutput.write(writer.bytes + [UInt8(ascii: "\n")])
        return .removed
    }

    private static func isYes(_ answer: String?) -> Bool { answer?.lowercased().hasPrefix("y") == true }

    private static func sayNothingRemoved() {
        StandardError.shared.write("tminus: nothing was removed\n")
    }

    private func removeFromFile(_ directory: String?, isUnanswered: Bool) throws {
        try reportingRefusals {
            let files = try options.files(in: directory)
            if isUnanswered, !files.defines(id) {
                do {
                    _ = try files.place(of: id, in: nil)
                } catch var refusal as EditRefusal {
                    refusal.error.message += "; no daemon answered, so ad-hoc items were not checked"
                    throw refusal
                }
            }
            let outcome = try files.remove(id, file: options.file) { place, lines in
                guard isAsking else { return true }
                return Self.isYes(
                    Question.ask(
                        (["\(place.file):\(place.line)"] + lines).joined(separator: "\n")
                            + "\nremove \(place.kind.rawValue) '\(place.id)'? [y/N] "))
            }
            guard let outcome else { return Self.sayNothingRemoved() }
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
