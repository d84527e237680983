/// A control that a user applied, as the history keeps it.
public struct ControlRecord: Sendable, Hashable {
    /// The definition; nil for a control of all definitions.
    public var definition: DefinitionID?
    /// The name of the control, such as `pause`.
    public var control: String
    /// The name of the user.
    public var by: String
    /// When it was applied.
    public var at: Timestamp
    /// The reason, in the user's words.
    public var note: String?

    /// A record with all its fields.
    public init(definition: DefinitionID?, control: String, by: String, at: Timestamp, note: String? = nil) {
        self.definition = definition
        self.control = control
        self.by = by
        self.at = at
        self.note = note
    }
}
