extension StatusAnswer {
    /// The status for somebody who may only read: what needs attention by its kind, but no path, no process and no reason, because these
    /// tell of the machine and of what the user wrote.
    package var forReaders: StatusAnswer {
        var answer = self
        (answer.processID, answer.config, answer.store, answer.profile, answer.listening) = (nil, nil, nil, nil, nil)
        (answer.labels, answer.followers) = (nil, nil)
        (answer.storeProblems, answer.problems, answer.files) = ([], [], [])
        answer.watching.message = nil
        answer.mute?.note = nil
        answer.deliveries?.sinks = []
        for index in answer.definitions.indices { answer.definitions[index].lastOutcome?.message = nil }
        var seen: Set<Attention.Reason> = []
        answer.attention = attention.compactMap { entry in
            seen.insert(entry.reason).inserted ? Attention(entry.reason, entry.reason.words) : nil
        }
        return answer
    }
}

extension StatusAnswer.Attention.Reason {
    /// The kind of problem in words that name nothing.
    fileprivate var words: String {
        switch self {
        case .store: "the store has a problem"
        case .directory: "the directory with the definitions has a problem"
        case .file: "not all content of a file is in force"
        case .deadLetters: "deliveries are dead"
        case .missingSink: "deliveries wait for a sink that no file declares"
        case .unplacedSink: "no machine has the labels that a sink asks for"
        case .otherFiles: "a machine that stands by has other definition files"
        }
    }
}
