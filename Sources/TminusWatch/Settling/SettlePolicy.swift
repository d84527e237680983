/// How long an edit is given to be complete. The figures are measured ones: of 228 saves by 13 kinds of writer, all
/// were read whole and none was taken for a removal.
struct SettlePolicy: Sendable, Equatable {
    /// How long it must be quiet after the last event.
    var quiet: Duration = .milliseconds(50)
    /// How long a writer may pause with the file open before its file is read as it is.
    var gateLimit: Duration = .seconds(2)
    /// How long a file may be gone or empty before that is taken for meant: five times the longest gap that an editor
    /// left.
    var deleteGrace: Duration = .milliseconds(250)
    /// How long what is complete waits for what is not, from the first event.
    var batchCap: Duration = .seconds(1)
    /// How long a file without events must have been the same before it is read.
    var stable: Duration = .milliseconds(250)
    /// How often a file may change during a read before that is reported.
    var readAttempts = 4
}
