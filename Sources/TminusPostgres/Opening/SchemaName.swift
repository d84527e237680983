/// The name of a schema in the database. It is part of statements, so only safe characters are allowed.
package struct SchemaName: Sendable, Hashable {
    /// The name.
    package let rawValue: String

    /// The schema of a daemon.
    package static let standard = SchemaName("tminus", isChecked: true)

    /// A name of at most 63 lower-case letters, digits and underscores that begins with no digit; nil for any other.
    package init?(_ name: String) {
        let isSafe = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        guard isSafe, let first = name.utf8.first, !(0x30...0x39).contains(first), name.utf8.count <= 63 else {
            return nil
        }
        self.init(name, isChecked: true)
    }

    private init(_ name: String, isChecked: Bool) { rawValue = name }

    /// The name as an identifier of SQL.
    var quoted: String { "\"\(rawValue)\"" }
}
