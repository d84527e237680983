internal import TminusControl
internal import TminusCore
internal import TminusWatch

extension DaemonStatus {
    /// What is in force, as `reload` and `wait` answer.
    var live: LiveAnswer {
        LiveAnswer(generation: generation, hash: hash, definitions: definitions, isInOrder: isLastSuccessful)
    }
}

extension FileStatus {
    /// The file as `status` shows it.
    var answer: StatusAnswer.File {
        StatusAnswer.File(
            path: path, state: state.rawValue, since: since?.rfc3339, reason: reason, errors: errors,
            place: firstError.map { "\($0.line):\($0.column)" }, definitions: definitions)
    }
}

extension WatchStatus.Mode {
    /// In words.
    var words: String {
        switch self {
        case .off: "off"
        case .events: "events"
        case .polling(nil): "polling"
        case .polling(let reason?): "polling: \(reason)"
        }
    }
}
