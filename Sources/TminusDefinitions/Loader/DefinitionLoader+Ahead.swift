import TminusCore

extension DefinitionLoader {
    /// Decodes many files one by one while they are parsed, because documents take ten times the memory of their files.
    /// Returns the opened files that must wait until all sinks are known.
    ///
    /// Files that may declare sinks are opened first. A later file waits if it names a sink that is not declared yet.
    /// So does every file with an error, because its messages may depend on other files.
    mutating func takeAhead(
        _ news: [SourceFile], of contents: DirectoryContents, _ now: Timestamp
    ) -> [String: OpenedFile] {
        var opened: [String: OpenedFile] = [:]
        for file in news where file.path == rootPath || mayDeclareSinks(file) {
            opened[file.path] = open(file, contents.root, now)
        }
        let names = collectNames(contents.files)
        if let root = news.first(where: { $0.path == rootPath }) {
            // The other files need the defaults of the root file, so it is parsed an extra time, which is not counted.
            // It is decoded in its turn later.
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

    /// Decodes a file if it does not depend on files that are not known yet; otherwise returns it opened.
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
        // Names version 0: a file without errors depends only on the sinks that it names.
        let versions = Versions(defaults: shared.version, names: 0, zones: zonesRevision ?? 0)
        settle(&state, file, opened, decoded, versions, isNew: true)
        states[file.path] = state
        return nil
    }

    /// Whether a file contains the word `sinks`, or declared sinks before.
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
    /// The total size in bytes.
    var contentLength: Int {
        reduce(0) { if case .bytes(let bytes) = $1.content { $0 + bytes.count } else { $0 } }
    }
}
