/// Why a delivery, or an action of an occurrence, is as it is: the code for programs beside the words for people.
///
/// The store keeps the words. Those that tminus writes by itself are in ``FixedReason``, ``Omission/Reason`` and
/// ``Withdrawal``, and the words of a sink begin in a fixed way, so the code follows from the words.
package enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    // The values of Omission.Reason.
    case superseded
    case overLimit = "over-limit"
    case notCaughtUp = "not-caught-up"
    case tooLate = "too-late"
    case pastWhenDefined = "past-when-defined"
    case editedAway = "edited-away"
    case disabled
    case removed
    case muted
    case skipped = "skipped-by-person"
    case snoozed
    case restored
    /// A later occurrence replaced it, because of `overlap: replace`.
    case replaced
    /// The action has no sinks.
    case noAction = "no-action"
    /// A user discarded it.
    case discarded
    /// The process ended during the attempt.
    case interrupted
    /// The daemon stopped before the attempt ended.
    case stopped
    /// It waits, because of the sink's rate limit, an edit of the sink, or earlier deliveries that take long.
    case waiting
    /// No file declares the sink any more, or the program has no such kind of sink.
    case missingSink = "missing-sink"
    /// Its row in the store cannot be read.
    case damaged
    /// The receiver answered with an HTTP status that is no success.
    case httpStatus = "http-status"
    /// The command ended with an exit status other than 0.
    case exitStatus = "exit-status"
    /// A signal ended the command.
    case signal
    /// The sink did not answer within its time limit.
    case timeout
    /// The sink failed in another way; the words say how.
    case sinkFailed = "sink-failed"

    /// The code of recorded words.
    package init(_ words: String) {
        self =
            Self.phrases[words] ?? Self.ofWordsWithNote(words) ?? Self.ofWordsWithNames(words)
            ?? Self.ofSink(words[...])
    }

    private static let phrases: [String: ReasonCode] = {
        var phrases: [String: ReasonCode] = [:]
        for reason in Omission.Reason.allCases { phrases[reason.words] = ReasonCode(rawValue: reason.rawValue) }
        for reason in FixedReason.allCases { phrases[reason.rawValue] = reason.code }
        phrases[Overlap.replacedReason] = .replaced
        phrases[InterruptedAttempts.reason] = .interrupted
        return phrases
    }()

    /// The code of words after which a user's note, or which edit it was, follows in brackets.
    private static func ofWordsWithNote(_ words: String) -> ReasonCode? {
        for (index, byte) in zip(words.utf8.indices, words.utf8) where byte == UInt8(ascii: "(") {
            if let code = phrases[String(words[..<index].dropLast())] { return code }
        }
        return nil
    }

    private static func ofWordsWithNames(_ words: String) -> ReasonCode? {
        if words.hasPrefix(FixedReason.discardedAfter) { return .discarded }
        let isMissing = [FixedReason.undeclaredSink(""), FixedReason.unsupportedSink("")].contains { phrase in
            let parts = phrase.split(separator: "''", maxSplits: 1)
            return words.hasPrefix(parts[0]) && words.hasSuffix(parts.dropFirst().first ?? "")
        }
        return isMissing ? .missingSink : nil
    }

    /// The code of a sink's words, which may follow the name of the receiver and a colon.
    private static func ofSink(_ words: Substring) -> ReasonCode {
        var rest = words
        while true {
            if let code = ofSinkWithoutName(rest) { return code }
            guard let colon = rest.firstIndex(of: ":") else { return .sinkFailed }
            rest = rest[colon...].dropFirst().drop { $0 == " " }
        }
    }

    private static func ofSinkWithoutName(_ words: Substring) -> ReasonCode? {
        let beginnings: [(String, ReasonCode)] = [
            ("HTTP ", .httpStatus), ("exit status ", .exitStatus), ("ended by signal ", .signal),
            ("timed out after ", .timeout), ("the plug-in gave no answer within ", .timeout),
        ]
        guard let (beginning, code) = beginnings.first(where: { words.hasPrefix($0.0) }) else { return nil }
        return code == .timeout || words.dropFirst(beginning.count).first?.isWholeNumber == true ? code : nil
    }
}

/// Recorded words that are always the same, with their codes.
package enum FixedReason: String, Sendable, Hashable, CaseIterable {
    case withdrawnByRemoval = "the definition was removed"
    case withdrawnBySkip = "its occurrence was skipped"
    case withdrawnByMove = "its occurrence was moved"
    case withdrawn = "it was withdrawn"
    case noAction = "it has no action"
    case discarded = "discarded"
    case discardedByUser = "discarded by a user"
    case processEnded = "the process that made the last attempt ended"
    case attemptInterrupted = "the process that made it ended"
    case endLost = "the database lost how its last attempt ended"
    case stopped = "interrupted because the daemon stopped"
    case stoppedBefore = "the daemon stopped before it could be sent"
    case sinkStopped = "stopped before it ended"
    case uselessByThen = "it was of no more use when it could be sent"
    case rateLimited = "its sink has a rate limit"
    case sinkEdited = "its sink was edited"
    case unfitMachine = "the program of one machine cannot make its sink"
    case stalled = "those before it take long"
    case unreadableFiring = "its stored firing cannot be read"
    case unreadablePayload = "its stored payload cannot be read"

    /// Why deliveries go back to the store unattempted. They can be claimed at once.
    package static let givenBack: [FixedReason] = [.stoppedBefore, .rateLimited, .sinkEdited, .unfitMachine, .stalled]

    /// The code.
    package var code: ReasonCode {
        switch self {
        case .withdrawnByRemoval: .removed
        case .withdrawnBySkip: .skipped
        case .withdrawnByMove: .editedAway
        case .noAction: .noAction
        case .discarded, .discardedByUser: .discarded
        case .processEnded, .attemptInterrupted, .endLost: .interrupted
        case .stopped, .stoppedBefore, .sinkStopped: .stopped
        case .uselessByThen: .tooLate
        case .rateLimited, .sinkEdited, .unfitMachine, .stalled, .withdrawn: .waiting
        case .unreadableFiring, .unreadablePayload: .damaged
        }
    }

    /// The beginning of the words of a discarded delivery, before the reason of its last failed attempt.
    package static let discardedAfter = "discarded after: "
    /// The words for a sink that no file declares.
    package static func undeclaredSink(_ key: String) -> String { "the sink '\(key)' is not in the files any more" }
    /// The words for a sink of a kind that the program does not have.
    package static func unsupportedSink(_ title: String) -> String { "this program cannot make the sink '\(title)'" }
}
