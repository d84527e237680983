internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// `tminus edit`
struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Open a definition in your editor. Needs no daemon.",
        discussion: """
            Opens a copy of the file in the editor of $VISUAL or $EDITOR, else vi, at the line of the definition. \
            After the editor exits, the copy is checked together with all other files of the directory. Without \
            errors, it replaces the file atomically. Otherwise the errors are shown and you can edit again. If another \
            program has changed the file meanwhile, nothing is overwritten and the copy is kept.

              tminus edit launch
              tminus edit --file launch.yaml

            Exit status: 65 if you discard a text with errors, 74 if another program changed the file.
            """
    )

    @Argument(help: "The id of the definition.", completion: IDCompletion.kind)
    var id: String?

    @OptionGroup var options: ConfigOptions

    func validate() throws {
        if id == nil, options.file == nil { throw ValidationError("give the id of a definition or --file") }
    }

    func run() async throws {
        let directory = await options.directory()
        try reportingRefusals {
            let session = try EditSession(try options.files(in: directory), id: id, file: options.file)
            let editor = EditorProgram.ofUser
            let copy = try EditedCopy(session.bytes, named: session.name)
            var line = session.line
            while true {
                let status = try editor.edit(copy.path, line: line)
                let text = try copy.read()
                guard status == 0 else {
                    throw kept(copy, text, session, .inputOutput, "'\(editor.command)' ended with status \(status)")
                }
                if text == session.bytes {
                    copy.discard()
                    return try report(session, nil)
                }
                let result = session.check(text)
                StandardError.shared.write(DiagnosticFormat.text.render(result.errors + result.warnings))
                if result.errors.isEmpty {
                    try commit(text, session, copy)
                    return try report(session, result.summary)
                }
                let question = "\(session.file) is unchanged. [e]dit again or [d]iscard? "
                guard let answer = Question.ask(question) else {
                    StandardError.shared.write("\n")
                    throw kept(copy, text, session, .badData, "the text has errors")
                }
                if answer.lowercased().hasPrefix("d") {
                    copy.discard()
                    throw ExitStatus.badData
                }
                line = result.errors.first { $0.location.file == session.file }?.location.line ?? line
            }
        }
    }

    private func commit(_ text: [UInt8], _ session: EditSession, _ copy: EditedCopy) throws {
        do {
            try session.commit(text)
        } catch {
            throw kept(copy, text, session, error.error.kind, error.error.message)
        }
        copy.discard()
    }

    /// Builds the refusal. Keeps the copy and names its path if the text was edited, else discards it.
    private func kept(
        _ copy: EditedCopy, _ text: [UInt8], _ session: EditSession, _ kind: ToolError.Kind, _ reason: String
    ) -> EditRefusal {
        guard text != session.bytes else {
            copy.discard()
            return EditRefusal(ToolError(kind, "\(reason); nothing was changed"))
        }
        return EditRefusal(ToolError(kind, "\(reason); your text is in \(copy.path)"))
    }

    private func report(_ session: EditSession, _ summary: EditSession.Summary?) throws {
        let groups = [
            ("added", summary?.added ?? []), ("changed", summary?.changed ?? []), ("removed", summary?.removed ?? []),
        ]
        guard options.json else {
            let texts = groups.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
            let what = summary == nil ? "nothing was changed" : texts.isEmpty ? "saved" : texts.joined(separator: "; ")
            return try StandardOutput.write("\(session.file): \(what)\n")
        }
        var writer = JSONWriter()
        writer.object { object in
            object.member("action", summary == nil ? "none" : "edited")
            object.member("file", session.file)
            object.member("added", texts: groups[0].1)
            object.member("changed", texts: groups[1].1)
            object.member("removed", texts: groups[2].1)
        }
        try StandardOutput.write(writer.bytes + [UInt8(ascii: "\n")])
    }
}
