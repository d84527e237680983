package import TminusCore

/// Parses the bytes of a definition file: YAML or JSON, depending on the file name extension.
package enum DocumentReader {
    /// The maximum nesting depth of lists and mappings.
    static let depthLimit = 64

    /// The message for deeper nesting.
    static let tooDeep = "nested too deeply, more than \(depthLimit) levels"

    /// The result of reading a file.
    package struct Result {
        /// The document; nil if its syntax is invalid.
        package var root: Node?
        /// The problems of the syntax; decoding adds its problems later.
        package var diagnostics: DiagnosticBag
        /// The number of problems of the syntax.
        package var readCount: Int

        init(root: Node?, diagnostics: DiagnosticBag) {
            self.root = root
            self.diagnostics = diagnostics
            readCount = diagnostics.diagnostics.count
        }
    }

    /// Parses `bytes` as the file at `path`, which is shown in diagnostics, and selects YAML or JSON unless `isJSON` does.
    ///
    /// An empty YAML file is an empty mapping. After some errors a document is still returned, if decoding the rest
    /// would not report follow-up problems.
    package static func read(_ bytes: [UInt8], path: String, isJSON: Bool? = nil) -> Result {
        let source = SourceText(bytes)
        let diagnostics = DiagnosticBag(file: path, text: source.text)
        let isJSON = isJSON ?? path.lowercased().hasSuffix(".json")
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
