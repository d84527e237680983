internal import Glibc

/// The connection of a standard stream to the journal (`$JOURNAL_STREAM` in systemd.exec(5)).
package enum JournalStream {
    /// Whether the descriptor is the stream whose device and inode the environment names. It is not if the stream was
    /// redirected since.
    package static func isConnected(_ descriptor: CInt, _ environment: [String: String]) -> Bool {
        let numbers = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":").map { UInt64($0) }
        var status = stat()
        guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
        return numbers == [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
