/// A definition that a user added without a file, in its stored form.
public struct AdHocDefinition: Sendable, Hashable {
    /// The id of the definition.
    public var id: DefinitionID
    /// A definition file in JSON that contains only this definition.
    public var document: [UInt8]
    /// The name of the user who added it.
    public var by: String
    /// When it was added.
    public var created: Timestamp

    /// A definition with all its fields.
    public init(id: DefinitionID, document: [UInt8], by: String, created: Timestamp) {
        self.id = id
        self.document = document
        self.by = by
        self.created = created
    }
}
