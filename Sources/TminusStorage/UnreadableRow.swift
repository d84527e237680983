/// A row that this program cannot have written.
package struct UnreadableRow: Error {
    /// What was read.
    package let what: String

    /// The error about `what`.
    package init(what: String) { self.what = what }
}
