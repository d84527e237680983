/// Why a definition was not made or not removed. Nothing has changed then.
package enum DefinitionRefusal: Error, Sendable, Hashable {
    /// The document is wrong; with the places in it.
    case invalid([Diagnostic])
    /// The id is in use; with the file that holds it, nil for a definition without one.
    case taken(DefinitionID, file: String?)
    /// There is no such definition; ids that are spelled much like it.
    case unknown(near: [DefinitionID])
    /// A file holds it, and whoever wants it gone edits that.
    case inFile(String)
    /// It cannot be kept now.
    case unwritten(reason: String)
}

/// What others may ask of the owner of the definitions.
package protocol DefinitionDesk: Sendable {
    /// Makes a definition without a file, and answers when it is in the store and the scheduler was told.
    ///
    /// `document` is a definition file in JSON with one definition in it: `{"timers": {"focus": {"duration": "25m"}}}`.
    func add(_ document: [UInt8], by: String) async throws(DefinitionRefusal) -> DefinitionID

    /// Removes a definition that was made without a file. Its state is kept for a while, as for any that is removed.
    func remove(_ id: DefinitionID) async throws(DefinitionRefusal)
}

extension SourceLocation {
    private static let adHocPrefix = "ad-hoc:"

    /// The place of a definition without a file, in the way a file is shown.
    package static func adHoc(_ id: DefinitionID) -> String { adHocPrefix + id.rawValue }

    /// Whether it is in no file.
    package var isAdHoc: Bool { file.hasPrefix(Self.adHocPrefix) }
}

extension Definition {
    /// Whether a person made it without a file.
    package var isAdHoc: Bool { origin.isAdHoc }
}
