/// The version of the program, as `tminus --version` prints it.
enum TminusVersion {
    /// The current version.
    static let current = "0.1.0"
}
