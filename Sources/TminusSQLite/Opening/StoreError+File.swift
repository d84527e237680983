import TminusCore

extension StoreError {
    /// The file is not readable.
    static func closed(_ path: String) -> StoreError {
        StoreError(.readOnly, "\(path): cannot be read (permission denied); run this as the user of the daemon")
    }

    /// There is something else than a regular file.
    static func notFile(_ path: String) -> StoreError {
        StoreError(.other, "\(path): is not a file; move it away, or choose another state directory")
    }

    /// The open file is no longer the one at the path.
    static func replaced(_ path: String) -> StoreError {
        StoreError(
            .other,
            "\(path): was removed or replaced while tminus uses it; put it back where it was, or start tminus again")
    }
}
