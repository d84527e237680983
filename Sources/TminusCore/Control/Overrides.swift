/// The overrides that users have set for the deliveries of one definition. They survive edits and restarts, and end by
/// themselves.
public struct Overrides: Sendable, Hashable {
    /// Who set an override, when and why.
    public struct Origin: Sendable, Hashable {
        /// The user's name.
        public var by: String
        /// When it was set.
        public var at: Timestamp
        /// The reason, in the user's words.
        public var note: String?

        /// Creates an origin.
        public init(by: String, at: Timestamp, note: String? = nil) {
            self.by = by
            self.at = at
            self.note = note
        }
    }

    /// Sends nothing until an instant.
    public struct Mute: Sendable, Hashable {
        /// The end of the mute.
        public var until: Timestamp
        /// Who set it.
        public var origin: Origin

        /// Creates a mute.
        public init(until: Timestamp, origin: Origin) {
            self.until = until
            self.origin = origin
        }
    }

    /// Sends nothing for one occurrence.
    public struct Skip: Sendable, Hashable {
        /// The occurrence.
        public var occurrence: Timestamp
        /// Who set it.
        public var origin: Origin

        /// Creates a skip.
        public init(occurrence: Timestamp, origin: Origin) {
            self.occurrence = occurrence
            self.origin = origin
        }
    }

    /// Sends the expiry of one occurrence later.
    public struct Snooze: Sendable, Hashable {
        /// The occurrence.
        public var occurrence: Timestamp
        /// The instant at which it is sent.
        public var until: Timestamp
        /// Who set it.
        public var origin: Origin

        /// Creates a snooze.
        public init(occurrence: Timestamp, until: Timestamp, origin: Origin) {
            self.occurrence = occurrence
            self.until = until
            self.origin = origin
        }
    }

    /// The mute, if there is one.
    public var mute: Mute?
    /// The skip of one occurrence, if there is one.
    public var skip: Skip?
    /// The snooze of one occurrence, if there is one.
    public var snooze: Snooze?
    /// When the store was restored from a copy. What was due until then is not sent, because it may have been.
    public var restored: Timestamp?

    /// The given overrides.
    public init(mute: Mute? = nil, skip: Skip? = nil, snooze: Snooze? = nil, restored: Timestamp? = nil) {
        self.mute = mute
        self.skip = skip
        self.snooze = snooze
        self.restored = restored
    }

    /// Whether there are no overrides.
    public var isEmpty: Bool { mute == nil && skip == nil && snooze == nil && restored == nil }
}
