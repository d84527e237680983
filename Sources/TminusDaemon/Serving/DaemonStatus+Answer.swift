internal import TminusControl
internal import TminusCore
internal import TminusWatch

extension DaemonStatus {
    /// What is in force: the answer to `reload` and `wait`.
    var live: LiveAnswer {
        LiveAnswer(generation: generation, hash: hash, definitions: definitions, isInOrder: isLastSuccessful)
    }
}

extension FileStatus {
    /// The file's row in the answer to `status`.
    var answer: StatusAnswer.File {
        StatusAnswer.File(
            path: path, state: state.rawValue, since: since?.rfc3339, reason: reason, errors: errors,
            place: firstError.map { "\($0.line):\($0.column)" }, definitions: definitions)
    }
}

extension WatchStatus.Mode {
    /// The mode in words, with the reason for polling.
    var words: String {
        switch self {
        case .off: "off"
        case .events: "events"
        case .polling(nil): "polling"
        case .polling(let reason?): "polling: \(reason)"
        }
    }
}
