/// Why a definition was not added or not removed; nothing has changed then.
package enum DefinitionRefusal: Error, Sendable, Hashable {
    /// The document has errors, given with their positions.
    case invalid([Diagnostic])
    /// The id is in use. Carries the file that defines it; nil for an ad-hoc definition.
    case taken(DefinitionID, file: String?)
    /// There is no definition with this id. Carries ids with a similar spelling.
    case unknown(near: [DefinitionID])
    /// A file defines it; to remove it, edit that file.
    case inFile(String)
    /// The store cannot write at the moment.
    case unwritten(reason: String)
}

/// Adds and removes ad-hoc definitions, which are in no file.
package protocol DefinitionDesk: Sendable {
    /// Adds an ad-hoc definition. Returns when it is in the store and the scheduler was notified.
    ///
    /// `document` is a definition file in JSON with one definition: `{"timers": {"focus": {"duration": "25m"}}}`.
    func add(_ document: [UInt8], by: String) async throws(DefinitionRefusal) -> DefinitionID

    /// Removes an ad-hoc definition. Its state is kept for a while, as after every removal.
    func remove(_ id: DefinitionID) async throws(DefinitionRefusal)
}

extension SourceLocation {
    private static let adHocPrefix = "ad-hoc:"

    /// The origin of an ad-hoc definition, in the form of a file name.
    package static func adHoc(_ id: DefinitionID) -> String { adHocPrefix + id.rawValue }

    /// Whether this is the origin of an ad-hoc definition.
    package var isAdHoc: Bool { file.hasPrefix(Self.adHocPrefix) }
}

extension Definition {
    /// Whether a person added it without a file.
    package var isAdHoc: Bool { origin.isAdHoc }
}
