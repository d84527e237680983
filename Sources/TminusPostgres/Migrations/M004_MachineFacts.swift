/// What a follower says of itself, such as its labels. An older program leaves it empty.
enum M004 {
    /// The statements, in their order.
    static let statements = ["ALTER TABLE follower ADD COLUMN facts text"]
}
