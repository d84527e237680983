package import TminusCore

/// What the sinks of one file need outside of it. The loader itself looks for nothing, since that may block.
package struct FileNeeds: Sendable {
    /// The path below the root.
    package let path: String
    /// The digest of the content that names the needs.
    package let digest: String
    /// The needs, each thing once.
    package let needs: [SinkNeed]
    private let display: String
    private let bytes: [UInt8]
    private let concealed: [SourceRange]

    init(of file: SourceFile, _ state: FileState, _ bytes: [UInt8]) {
        (path, digest, display) = (file.path, file.digest, state.display)
        (needs, concealed) = (state.needs, state.concealed)
        self.bytes = bytes
    }

    /// A diagnostic for each need with a problem, in the order of the file.
    package func diagnostics(
        _ severity: Diagnostic.Severity, _ problem: (SinkNeed.Thing) -> String?
    ) -> [Diagnostic] {
        let found = needs.compactMap { need in problem(need.thing).map { (message: $0, range: need.range) } }
        guard !found.isEmpty else { return [] }
        let bag = DiagnosticBag(file: display, text: SourceText(bytes).text)
        for range in concealed { bag.conceal(range) }
        return found.sorted { $0.range.start < $1.range.start }
            .map { bag.diagnostic(severity, $0.message, at: $0.range) }
    }
}

extension LoadResult {
    /// Adds diagnostics of files, in their places.
    package mutating func add(_ more: [Diagnostic]) {
        guard !more.isEmpty else { return }
        diagnostics = DefinitionLoader.sorted(diagnostics + more)
        let byFile = Dictionary(grouping: more, by: \.location.file)
        for index in files.indices {
            guard let own = byFile[files[index].display] else { continue }
            files[index].diagnostics = DefinitionLoader.sorted(files[index].diagnostics + own)
        }
    }

    /// Looks for everything that the sinks need, and adds a diagnostic for each that is not there. Blocks as file
    /// systems do.
    package mutating func inspect(_ inspector: any SinkNeedInspector, severity: Diagnostic.Severity) {
        add(needs.flatMap { $0.diagnostics(severity, inspector.problem) })
    }
}
