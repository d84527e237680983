/// The daemon's status: what is in force, the state of each file, and the environment.
package struct StatusAnswer: Codable, Sendable, Hashable {
    /// A file of the config directory.
    package struct File: Codable, Sendable, Hashable {
        /// The path, relative to the directory.
        package var path: String
        /// The state: `ok`, `pending`, `partial`, `duplicate`, `stale`, `failed`, `unreadable` or `ignored`.
        package var state: String
        /// The instant it entered this state, in RFC 3339; nil for `ok` and `pending`.
        package var since: String?
        /// The code of why it is ignored: `IgnoredEntry.Reason`.
        package var reason: String?
        /// Why it is ignored in words, or the message of its first error.
        package var message: String?
        /// The number of errors.
        package var errors: Int
        /// The place of the first error.
        package var place: Place?
        /// The number of its definitions in force.
        package var definitions: Int
        /// Its problems, in the order of their places; at most ``shownProblems``.
        package var diagnostics: [Diagnostic]

        /// A place in a file.
        package struct Place: Codable, Sendable, Hashable {
            /// The line, from 1.
            package var line: Int
            /// The column, from 1.
            package var column: Int

            /// Creates the value from its members.
            package init(line: Int, column: Int) {
                self.line = line
                self.column = column
            }

            /// `line:column`
            package var text: String { "\(line):\(column)" }
        }

        /// A problem of a file.
        package struct Diagnostic: Codable, Sendable, Hashable {
            /// `error` or `warning`.
            package var severity: String
            /// The line, from 1; nil if it concerns the whole file.
            package var line: Int?
            /// The column, from 1.
            package var column: Int?
            /// The problem and what to do.
            package var message: String

            /// Creates the value from its members.
            package init(severity: String, line: Int?, column: Int?, message: String) {
                self.severity = severity
                self.line = line
                self.column = column
                self.message = message
            }
        }

        /// The most problems of one file in an answer.
        package static let shownProblems = 100

        /// Creates the value from its members.
        package init(
            path: String, state: String, since: String?, reason: String? = nil, message: String?, errors: Int,
            place: Place?, definitions: Int, diagnostics: [Diagnostic] = []
        ) {
            self.path = path
            self.state = state
            self.since = since
            self.reason = reason
            self.message = message
            self.errors = errors
            self.place = place
            self.definitions = definitions
            self.diagnostics = diagnostics
        }
    }

    /// A mute of all definitions.
    package struct Mute: Codable, Sendable, Hashable {
        /// The end, in RFC 3339.
        package var until: String
        /// The name of the user who muted.
        package var by: String
        /// The instant of the request, in RFC 3339.
        package var at: String
        /// The user's reason.
        package var note: String?

        /// Creates the value from its members.
        package init(until: String, by: String, at: String, note: String?) {
            self.until = until
            self.by = by
            self.at = at
            self.note = note
        }
    }

    /// How changes of the directory are noticed.
    package struct Watching: Codable, Sendable, Hashable {
        /// The way.
        package enum Mode: String, Codable, Sendable, Hashable, CaseIterable {
            /// They are not; only `reload` and SIGHUP re-read the directory.
            case off
            /// The kernel reports them.
            case events
            /// The daemon looks for them.
            case polling
        }

        /// The way.
        package var mode: Mode
        /// Why it polls.
        package var message: String?

        /// Creates the value from its members.
        package init(_ mode: Mode, message: String? = nil) {
            self.mode = mode
            self.message = message
        }

        /// The mode in words, with the reason for polling.
        package var text: String { mode.rawValue + (message.map { ": \($0)" } ?? "") }
    }

    /// A machine that delivers beside this one.
    package struct Follower: Codable, Sendable, Hashable {
        /// The host and the process.
        package var process: String
        /// The version of its tminus; nil if it has not said.
        package var version: String?
        /// The instant its daemon started, in RFC 3339; nil if it has not said.
        package var started: String?
        /// Its labels.
        package var labels: [String]
        /// The hash of its definition files; nil if it has not said.
        package var hash: String?

        /// Creates the value from its members.
        package init(process: String, version: String?, started: String?, labels: [String], hash: String? = nil) {
            self.process = process
            self.version = version
            self.started = started
            self.labels = labels
            self.hash = hash
        }
    }

    /// The version of tminus.
    package var version: String
    /// The daemon's process id; nil below level control.
    package var processID: Int?
    /// The daemon's wall clock, in RFC 3339.
    package var now: String
    /// The instant the daemon started, in RFC 3339.
    package var started: String
    /// The config directory; nil below level control.
    package var config: String?
    /// The store's URL or path; nil below level control.
    package var store: String?
    /// What cannot be written to the store, and why; empty while it works.
    package var storeProblems: [String]
    /// The number of rows of the store that cannot be read and were set aside.
    package var damagedRows: Int
    /// The mute of all definitions, later additions included; nil if there is none.
    package var mute: Mute?
    /// What is in force.
    package var live: LiveAnswer
    /// The instant the directory was last read, in RFC 3339.
    package var lastAttempt: String?
    /// When the content in force was last read without an error, in RFC 3339.
    package var lastSuccess: String?
    /// How changes are noticed.
    package var watching: Watching
    /// The version of the zone data, such as `2025b`.
    package var zoneData: String?
    /// How far the unit restricts hooks, `strict` or `commands`; nil outside a unit of the package.
    package var profile: String?
    /// The number of viewers connected to the event stream.
    package var viewers: Int
    /// The URLs at which HTTP is served over TCP; nil without `--listen`.
    package var listening: [String]?
    /// The labels of the daemon's machine; nil below level control.
    package var labels: [String]?
    /// The machines that deliver beside this one; nil if there is none.
    package var followers: [Follower]?
    /// The problems of the directory itself and of the machine's time zone.
    package var problems: [String]
    /// The undelivered deliveries; nil if the store cannot be read.
    package var deliveries: StatusDeliveries?
    /// The definitions with deliveries that are retried or dead, sorted by id; on request all definitions.
    package var definitions: [StatusDefinition]
    /// What needs a person, one sentence each; empty if all is well.
    package var attention: [Attention]
    /// The files, sorted by path. Only about the first hundred ignored files are included.
    package var files: [File]

    enum CodingKeys: String, CodingKey {
        case version, now, started, config, store, mute, live, watching, profile, viewers, listening, labels, followers
        case problems, files, deliveries, definitions
        case attention
        case processID = "process-id"
        case storeProblems = "store-problems"
        case damagedRows = "damaged-rows"
        case lastAttempt = "last-attempt"
        case lastSuccess = "last-success"
        case zoneData = "zone-data"
    }

    /// Creates the value from its members.
    package init(
        version: String, processID: Int?, now: String, started: String, config: String?, store: String?,
        storeProblems: [String], damagedRows: Int = 0, mute: Mute? = nil, live: LiveAnswer,
        lastAttempt: String?, lastSuccess: String?, watching: Watching, zoneData: String?, profile: String? = nil,
        viewers: Int, listening: [String] = [], labels: [String] = [],
        followers: [Follower] = [], unplaced: [String] = [], differentFollowers: [String] = [],
        problems: [String], files: [File], deliveries: StatusDeliveries? = StatusDeliveries(),
        definitions: [StatusDefinition] = []
    ) {
        self.version = version
        self.processID = processID
        self.now = now
        self.started = started
        self.config = config
        self.store = store
        self.storeProblems = storeProblems
        self.damagedRows = damagedRows
        self.mute = mute
        self.live = live
        self.lastAttempt = lastAttempt
        self.lastSuccess = lastSuccess
        self.watching = watching
        self.zoneData = zoneData
        self.profile = profile
        self.viewers = viewers
        self.listening = listening.isEmpty ? nil : listening
        self.labels = labels
        self.followers = followers.isEmpty ? nil : followers
        self.problems = problems
        self.files = files
        self.deliveries = deliveries
        self.definitions = definitions
        attention = Attention.all(
            storeProblems: storeProblems, problems: problems, live: live, files: files, deliveries: deliveries,
            unplaced: unplaced, differentFollowers: differentFollowers)
    }
}
