import TminusCore

extension DefinitionLoader {
    /// Decodes many files one after the other as they are read, so that their documents, ten times as large as the files, are not
    /// all in memory at once. Returns those that were opened and have to wait for all sinks to be known.
    ///
    /// The files that may declare sinks are opened first. A file that then names a sink that nobody has declared waits, and so
    /// does every other one that has an error: its messages may be about other files.
    mutating func takeAhead(
        _ news: [SourceFile], of contents: DirectoryContents, _ now: Timestamp
    ) -> [String: OpenedFile] {
        var opened: [String: OpenedFile] = [:]
        for file in news where file.path == rootPath || mayDeclareSinks(file) {
            opened[file.path] = open(file, contents.root, now)
        }
        let names = collectNames(contents.files)
        if let root = news.first(where: { $0.path == rootPath }) {
            // Opened once more for those that wait for it; it is decoded in its turn.
            let parsed = parsedFiles
            defer { parsedFiles = parsed }
            guard var ahead = open(root, contents.root, now),
                let decoded = ahead.decoder?.decode(shared: Defaults(), names: names),
                !ahead.read.diagnostics.hasErrors
            else { return opened }
            shared.set(decoded.defaults)
        } else {
            shared.set(rootPath.flatMap { states[$0]?.defaults } ?? Defaults())
        }
        for file in news where opened[file.path] == nil {
            if let waiting = decodeAhead(file, contents.root, now, names) { opened[file.path] = waiting }
        }
        return opened
    }

    /// Decodes a file at once if nothing in it depends on files that are not known yet; else returns it as it was opened.
    private mutating func decodeAhead(
        _ file: SourceFile, _ root: String, _ now: Timestamp, _ names: SinkNames
    ) -> OpenedFile? {
        guard var opened = open(file, root, now) else { return nil }
        let diagnostics = opened.read.diagnostics
        guard let decoder = opened.decoder, decoder.declared.isEmpty, decoder.broken.isEmpty, !diagnostics.hasErrors
        else { return opened }
        let decoded = opened.decoder?.decode(shared: shared.value, names: names)
        guard !diagnostics.hasErrors, var state = states[file.path] else {
            parsedFiles -= 1
            return open(file, root, now)
        }
        // With the version of no names: a file without errors does not care for those that it does not name.
        let versions = Versions(defaults: shared.version, names: 0, zones: zonesRevision ?? 0)
        settle(&state, file, opened, decoded, versions, isNew: true)
        states[file.path] = state
        return nil
    }

    /// Whether there is the word `sinks` anywhere in a file, or it declared some before.
    private func mayDeclareSinks(_ file: SourceFile) -> Bool {
        guard case .bytes(let bytes) = file.content, let state = states[file.path] else { return false }
        let word = Array("sinks".utf8)
        return !state.offered.isEmpty || !state.broken.isEmpty || state.content?.sinks.isEmpty == false
            || bytes.indices.dropLast(word.count - 1).contains {
                bytes[$0] == word[0] && bytes[$0...].starts(with: word)
            }
    }
}

extension [SourceFile] {
    /// How many bytes they have together.
    var contentLength: Int {
        reduce(0) { if case .bytes(let bytes) = $1.content { $0 + bytes.count } else { $0 } }
    }
}
