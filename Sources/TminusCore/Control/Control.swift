/// A control that a user applies to one definition, separate from its file.
package enum Control: Sendable, Hashable {
    /// Starts a countdown or resumes a paused one; has no effect on a running one. With `adding`, lengthens a running
    /// or paused countdown instead.
    case start(adding: Duration?)
    /// Pauses a running timer or stopwatch; the time until ``resume`` does not count.
    case pause
    /// Continues a paused timer or stopwatch.
    case resume
    /// Ends a running countdown without its expiry, or pauses a stopwatch.
    case stop
    /// Returns to the beginning: a running timer restarts with its full duration, a stopwatch stops at zero without
    /// laps.
    case reset
    /// Records a lap of a running stopwatch.
    case lap
    /// Delays the expiry of the next occurrence, or sends that of the last occurrence again if it was due recently. The
    /// occurrence itself does not move.
    case snooze(for: Duration)
    /// Sends nothing for the next occurrence.
    case skip
    /// Sends nothing until that instant.
    case mute(until: Timestamp)
    /// Ends ``mute(until:)``, ``skip`` and ``snooze(for:)``.
    case unmute

    /// The default time of ``snooze(for:)``; most alarm clocks use the same.
    package static let standardSnooze = Duration.seconds(9 * 60)

    /// The names of controls, on the command line and in paths.
    package enum Verb: String, Sendable, Hashable, CaseIterable {
        case start, pause, resume, stop, reset, lap, snooze, skip, mute, unmute
    }

    /// Its name.
    package var verb: Verb {
        switch self {
        case .start: .start
        case .pause: .pause
        case .resume: .resume
        case .stop: .stop
        case .reset: .reset
        case .lap: .lap
        case .snooze: .snooze
        case .skip: .skip
        case .mute: .mute
        case .unmute: .unmute
        }
    }
}

/// A control, with its target and the user who asked for it.
package struct ControlRequest: Sendable, Hashable {
    /// The definition.
    package var id: DefinitionID
    /// The control.
    package var control: Control
    /// The name of the user.
    package var by: String
    /// The way by which it came.
    package var door: Door
    /// The reason, in the user's words.
    package var note: String?

    /// Creates a request.
    package init(id: DefinitionID, control: Control, by: String, door: Door = .socket, note: String? = nil) {
        self.id = id
        self.control = control
        self.by = by
        self.door = door
        self.note = note
    }
}

/// Why a control was refused; nothing has changed then.
package enum ControlRefusal: Error, Sendable, Hashable {
    /// There is no definition with this id.
    case unknown
    /// The control does not fit the definition or its state. Carries the reason, and the verbs that would fit.
    case unfit(reason: String, fitting: [Control.Verb])
    /// The store cannot write at the moment.
    case unwritten(reason: String)
}
