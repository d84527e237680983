internal import ArgumentParser
internal import TminusControl
internal import TminusCore

/// The id and the name of a new definition, by the same rule in all commands that make one.
struct GivenName {
    /// The id; nil if it cannot be derived.
    let id: String?
    /// The name, if it differs from the id.
    let name: String?
    /// The text that the id is derived from; nil without any.
    let source: String?

    /// Derives the id from `--id`, else from the words or `--name`: a valid id is taken as it is, other text is turned
    /// into one.
    init(id: String?, words: String?, name: String?) {
        source = id ?? words ?? name
        let derived = source.map { id != nil || DefinitionID.isValid($0) ? $0 : DefinitionSlug.of($0) } ?? ""
        self.id = derived.isEmpty ? nil : derived
        let shown = name ?? words
        self.name = shown == self.id ? nil : shown
    }
}
