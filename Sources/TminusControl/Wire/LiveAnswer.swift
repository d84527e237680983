/// What is in force, as `reload` and `wait` answer.
package struct LiveAnswer: Codable, Sendable, Hashable {
    /// Counts, from 1, how often since the start other content came into force.
    package var generation: Int
    /// Identifies the content; nil before anything is in force.
    package var hash: String?
    /// How many definitions are in force.
    package var definitions: Int
    /// Whether all that was found is in force.
    package var isInOrder: Bool

    enum CodingKeys: String, CodingKey {
        case generation, hash, definitions
        case isInOrder = "in-order"
    }

    /// An answer with all its members.
    package init(generation: Int, hash: String?, definitions: Int, isInOrder: Bool) {
        self.generation = generation
        self.hash = hash
        self.definitions = definitions
        self.isInOrder = isInOrder
    }
}
