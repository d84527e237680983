/// A control of all definitions, including those added while it lasts.
package struct GeneralControl: Sendable, Hashable {
    /// The kind of control.
    package enum Action: Sendable, Hashable {
        /// Sends nothing until that instant.
        case mute(until: Timestamp)
        /// Ends every mute. Skips and snoozes stay: they were meant for one occurrence.
        case unmute

        /// Its name.
        package var verb: Control.Verb {
            switch self {
            case .mute: .mute
            case .unmute: .unmute
            }
        }
    }

    /// The kind of control.
    package var action: Action
    /// The name of the user.
    package var by: String
    /// The way by which it came.
    package var door: Door
    /// The reason, in the user's words.
    package var note: String?

    /// Creates a control of all definitions.
    package init(_ action: Action, by: String, door: Door = .socket, note: String? = nil) {
        self.action = action
        self.by = by
        self.door = door
        self.note = note
    }
}
