/// What a person wants done with everything there is and, while it lasts, with what is added.
package struct GeneralControl: Sendable, Hashable {
    /// What is to be done.
    package enum Action: Sendable, Hashable {
        /// Nothing is sent until that instant.
        case mute(until: Timestamp)
        /// Ends every mute, and what else was said about what is muted.
        case unmute

        /// The word for it on the command line.
        package var verb: String {
            switch self {
            case .mute: "mute"
            case .unmute: "unmute"
            }
        }
    }

    /// What is to be done.
    package var action: Action
    /// Who asks: a user's name.
    package var by: String
    /// Why, in the words of who asks.
    package var note: String?

    /// A wish about everything.
    package init(_ action: Action, by: String, note: String? = nil) {
        self.action = action
        self.by = by
        self.note = note
    }
}
