/// The status of a daemon that stands by. It has no control socket; a command reads this from the daemon's lock file.
package struct StandbyAnswer: Encodable, Sendable, Hashable {
    /// Tells it from a ``StatusAnswer``.
    package let standsBy = true
    /// The daemon's process id.
    package var processID: Int
    /// Its state directory.
    package var state: String
    /// The host and the process of the daemon that leads; nil if it is not known.
    package var leader: String?
    /// Why the database does not answer; nil while it does.
    package var problem: String?

    enum CodingKeys: String, CodingKey {
        case standsBy = "stands-by"
        case processID = "process-id"
        case state, leader, problem
    }

    /// Creates the value from its members.
    package init(processID: Int, state: String, leader: String?, problem: String?) {
        self.processID = processID
        self.state = state
        self.leader = leader
        self.problem = problem
    }
}
