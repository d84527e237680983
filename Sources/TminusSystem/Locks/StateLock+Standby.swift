extension StateLock {
    /// What a daemon knows that stands by.
    package struct Standby: Sendable, Hashable {
        /// The host and the process of the daemon that leads; nil if it is not known.
        package var leader: String?
        /// Why the database does not answer; nil while it does.
        package var problem: String?
        /// Its configuration directory; nil if an older program does not tell it.
        package var config: String?

        /// The given knowledge.
        package init(leader: String? = nil, problem: String? = nil, config: String? = nil) {
            self.leader = leader
            self.problem = problem
            self.config = config
        }

        /// What the daemon does, in one line.
        package var words: String {
            if let problem { return "stands by; the database does not answer: \(problem)" }
            return "stands by" + (leader.map { "; \($0) leads" } ?? "")
        }
    }
}
