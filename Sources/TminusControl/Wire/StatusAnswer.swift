/// How a daemon does: what is live, file by file, and the machine as it sees it.
package struct StatusAnswer: Codable, Sendable, Hashable {
    /// A file of the directory.
    package struct File: Codable, Sendable, Hashable {
        /// Below the directory.
        package var path: String
        /// `ok`, `pending`, `partial`, `duplicate`, `stale`, `failed`, `unreadable` or `ignored`.
        package var state: String
        /// Since when, in RFC 3339; nil for `ok` and `pending`.
        package var since: String?
        /// Why it is ignored, or the message of its first error.
        package var reason: String?
        /// How many errors it has.
        package var errors: Int
        /// Where the first of them is: `line:column`.
        package var place: String?
        /// How many of its definitions are in force.
        package var definitions: Int

        /// A file with all its members.
        package init(
            path: String, state: String, since: String?, reason: String?, errors: Int, place: String?, definitions: Int
        ) {
            self.path = path
            self.state = state
            self.since = since
            self.reason = reason
            self.errors = errors
            self.place = place
            self.definitions = definitions
        }
    }

    /// The silence of everything.
    package struct Mute: Codable, Sendable, Hashable {
        /// Its end, in RFC 3339.
        package var until: String
        /// Who said so: a user's name.
        package var by: String
        /// When, in RFC 3339.
        package var at: String
        /// In that user's words.
        package var note: String?

        /// A silence with all its members.
        package init(until: String, by: String, at: String, note: String?) {
            self.until = until
            self.by = by
            self.at = at
            self.note = note
        }
    }

    /// The version of tminus.
    package var version: String
    /// The process.
    package var processID: Int
    /// Its wall clock, in RFC 3339.
    package var now: String
    /// When it began, in RFC 3339.
    package var started: String
    /// The directory that it watches.
    package var config: String
    /// The store.
    package var store: String
    /// What cannot be written to it, and why; empty while it works.
    package var storeProblems: [String]
    /// The silence of everything, of what is added among it; nil if there is none.
    package var mute: Mute?
    /// What is in force.
    package var live: LiveAnswer
    /// When the directory was last taken in, in RFC 3339.
    package var lastAttempt: String?
    /// When that was last done without an error anywhere.
    package var lastSuccess: String?
    /// Where hints of changes come from: `off`, `events`, or `polling` with the reason.
    package var watching: String
    /// The version of the zone data, such as `2025b`.
    package var zoneData: String?
    /// How many viewers follow the changes.
    package var viewers: Int
    /// What is wrong with the directory itself.
    package var problems: [String]
    /// In the order of their paths; of those that are ignored the first hundred or so.
    package var files: [File]

    enum CodingKeys: String, CodingKey {
        case version, now, started, config, store, mute, live, watching, viewers, problems, files
        case processID = "process-id"
        case storeProblems = "store-problems"
        case lastAttempt = "last-attempt"
        case lastSuccess = "last-success"
        case zoneData = "zone-data"
    }

    /// A status with all its members.
    package init(
        version: String, processID: Int, now: String, started: String, config: String, store: String,
        storeProblems: [String], mute: Mute? = nil, live: LiveAnswer,
        lastAttempt: String?, lastSuccess: String?, watching: String, zoneData: String?, viewers: Int,
        problems: [String], files: [File]
    ) {
        self.version = version
        self.processID = processID
        self.now = now
        self.started = started
        self.config = config
        self.store = store
        self.storeProblems = storeProblems
        self.mute = mute
        self.live = live
        self.lastAttempt = lastAttempt
        self.lastSuccess = lastSuccess
        self.watching = watching
        self.zoneData = zoneData
        self.viewers = viewers
        self.problems = problems
        self.files = files
    }
}
