package import TminusCore

/// Turns the bytes of a definition file into a document: YAML or JSON by the end of its name.
package enum DocumentReader {
    /// How deep lists and mappings may be nested.
    static let depthLimit = 64

    /// What became of a file.
    package struct Result {
        /// The document; nil if its syntax is broken.
        package var root: Node?
        /// Collects what is wrong with it, and goes on to collect what its decoding finds.
        package var diagnostics: DiagnosticBag
        /// How many of them are about the syntax.
        package var readCount: Int

        init(root: Node?, diagnostics: DiagnosticBag) {
            self.root = root
            self.diagnostics = diagnostics
            readCount = diagnostics.diagnostics.count
        }
    }

    /// Reads `bytes` as the file at `path`, which decides between YAML and JSON and is shown in diagnostics as it is.
    ///
    /// An empty YAML file is an empty mapping. A document is also returned where errors were reported, if what is
    /// left of it can be decoded without inventing further problems.
    package static func read(_ bytes: [UInt8], path: String) -> Result {
        let source = SourceText(bytes)
        let diagnostics = DiagnosticBag(file: path, text: source.text)
        let isJSON = path.lowercased().hasSuffix(".json")
        guard source.isReadable(asJSON: isJSON, reporting: diagnostics) else {
            return Result(root: nil, diagnostics: diagnostics)
        }
        if isJSON {
            var reader = JSONReader(source.bytes, diagnostics: diagnostics)
            return Result(root: reader.read(), diagnostics: diagnostics)
        }
        var reader = YAMLReader(source, diagnostics: diagnostics)
        return Result(root: reader.read(), diagnostics: diagnostics)
    }
}
