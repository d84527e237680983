/// A definition that a person made without a file, as it is stored.
public struct AdHocDefinition: Sendable, Hashable {
    /// The definition.
    public var id: DefinitionID
    /// A definition file in JSON that holds this definition and nothing else.
    public var document: [UInt8]
    /// Who made it: a user's name.
    public var by: String
    /// When.
    public var created: Timestamp

    /// A definition with all its fields.
    public init(id: DefinitionID, document: [UInt8], by: String, created: Timestamp) {
        self.id = id
        self.document = document
        self.by = by
        self.created = created
    }
}
