/// What a commit waits for.
package enum Durability: Sendable {
    /// The disk: the commit survives a power cut.
    case flushed
    /// The commits before it: a power cut loses it only together with all later ones.
    case ordered
}
