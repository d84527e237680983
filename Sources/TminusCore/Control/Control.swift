/// What a person wants done with one definition, apart from its file.
package enum Control: Sendable, Hashable {
    /// Begins a countdown or goes on with a paused one; with `adding`, lengthens a running one instead. Starting what runs changes
    /// nothing.
    case start(adding: Duration?)
    /// Holds a running timer or stopwatch; the time until ``resume`` does not count.
    case pause
    /// Goes on with what is paused.
    case resume
    /// Ends a running countdown without its expiry, or holds a stopwatch.
    case stop
    /// Back to the beginning: a timer that ran runs again from its full duration, a stopwatch stands at zero without laps.
    case reset
    /// Notes a lap of a running stopwatch.
    case lap
    /// The expiry of the next occurrence is sent that much later, or that of the last one once more if it was just due; the
    /// occurrence itself does not move.
    case snooze(for: Duration)
    /// Nothing is sent of the next occurrence.
    case skip
    /// Nothing is sent until that instant.
    case mute(until: Timestamp)
    /// Ends a ``mute(until:)``, a ``skip`` and a ``snooze(for:)``.
    case unmute

    /// How long a ``snooze(for:)`` is unless somebody says otherwise: that of most alarm clocks.
    package static let standardSnooze = Duration.seconds(9 * 60)

    /// The word for it on the command line.
    package var verb: String {
        switch self {
        case .start: "start"
        case .pause: "pause"
        case .resume: "resume"
        case .stop: "stop"
        case .reset: "reset"
        case .lap: "lap"
        case .snooze: "snooze"
        case .skip: "skip"
        case .mute: "mute"
        case .unmute: "unmute"
        }
    }
}

/// A control with whom it is for and who asked.
package struct ControlRequest: Sendable, Hashable {
    /// The definition.
    package var id: DefinitionID
    /// What is to be done.
    package var control: Control
    /// Who asks: a user's name.
    package var by: String
    /// Why, in the words of who asks.
    package var note: String?

    /// A request.
    package init(id: DefinitionID, control: Control, by: String, note: String? = nil) {
        self.id = id
        self.control = control
        self.by = by
        self.note = note
    }
}

/// Why a control was not done. Nothing has changed then.
package enum ControlRefusal: Error, Sendable, Hashable {
    /// There is no such definition.
    case unknown
    /// It does not fit what the definition is or how it stands; with the reason in words, and the verbs that would fit.
    case unfit(reason: String, fitting: [String])
    /// The store cannot write it now.
    case unwritten(reason: String)
}
