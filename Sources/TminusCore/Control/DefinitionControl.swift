/// Why a definition was not added or removed. Nothing has changed then.
package enum DefinitionRefusal: Error, Sendable, Hashable {
    /// The document is invalid.
    case invalid([Diagnostic])
    /// The id is in use by a definition in `file`, or by one without a file if `file` is nil.
    case taken(DefinitionID, file: String?)
    /// There is no such definition; `near` lists similar ids.
    case unknown(near: [DefinitionID])
    /// It is in a file, which must be edited instead.
    case inFile(String)
    /// It cannot be written to the store now.
    case unwritten(reason: String)
}

/// Adds and removes definitions without a file.
package protocol DefinitionControl: Sendable {
    /// Adds a definition without a file; returns when it is in the store and the scheduler is notified.
    ///
    /// `document` is a definition file in JSON with one definition in it: `{"timers": {"focus": {"duration": "25m"}}}`.
    func add(_ document: [UInt8], by: String) async throws(DefinitionRefusal) -> DefinitionID

    /// Removes a definition without a file. Its state is kept for a while, as for every removed definition.
    func remove(_ id: DefinitionID) async throws(DefinitionRefusal)
}

extension SourceLocation {
    private static let adHocPrefix = "ad-hoc:"

    /// The place of a definition without a file, in the form of a file name.
    package static func adHoc(_ id: DefinitionID) -> String { adHocPrefix + id.rawValue }

    /// Whether it is outside of any file.
    package var isAdHoc: Bool { file.hasPrefix(Self.adHocPrefix) }
}

extension Definition {
    /// Whether it was added without a file.
    package var isAdHoc: Bool { origin.isAdHoc }
}
