/// What is in force: the answer to `reload` and `wait`.
package struct LiveAnswer: Codable, Sendable, Hashable {
    /// The number of times new content came into force since the daemon's start: 0 before the first.
    package var generation: Int
    /// A hash of the content; nil before anything is in force.
    package var hash: String?
    /// The number of definitions in force.
    package var definitions: Int
    /// Whether everything in the directory is in force.
    package var isInOrder: Bool
    /// Whether the store refuses content that was read. It comes into force once the store takes it.
    package var isWaiting: Bool

    enum CodingKeys: String, CodingKey {
        case generation, hash, definitions
        case isInOrder = "in-order"
        case isWaiting = "waiting"
    }

    /// One line: `generation 3, 12 definitions, all in force`.
    package var line: String { line(more: ": see 'tminus status'") }

    /// The same line. `more` follows if something is not in force, and says where to look.
    package func line(more: String) -> String {
        let count = definitions == 1 ? "1 definition" : "\(definitions) definitions"
        let reason = isWaiting ? ": the store has not taken the last edits yet" : more
        let order = isInOrder ? "all in force" : "not everything in the directory is in force\(reason)"
        return "generation \(generation), \(count), \(order)"
    }

    /// Creates the value from its members.
    package init(generation: Int, hash: String?, definitions: Int, isInOrder: Bool, isWaiting: Bool = false) {
        self.generation = generation
        self.hash = hash
        self.definitions = definitions
        self.isInOrder = isInOrder
        self.isWaiting = isWaiting
    }
}
