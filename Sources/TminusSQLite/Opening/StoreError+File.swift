import TminusCore

extension StoreError {
    /// The file may not be read.
    static func closed(_ path: String) -> StoreError {
        StoreError(.readOnly, "\(path): cannot be read (permission denied); run this as the user of the daemon")
    }

    /// The file that is open is not the one at the path.
    static func replaced(_ path: String) -> StoreError {
        StoreError(
            .other,
            "\(path): was removed or replaced while tminus uses it; put it back where it was, or start tminus again")
    }
}
