package import TminusCore

/// What became of one action of an occurrence.
package struct HistoryAnswer: Codable, Sendable, Hashable {
    /// The instant of the occurrence, in RFC 3339; of several, the last.
    package var occurrence: String
    /// `expiry`, `before:P1D` and the like.
    package var action: String
    /// When it was due, in RFC 3339.
    package var due: String
    /// `open`, `delivered`, `failed`, `missed` or `skipped`.
    package var end: String
    /// Since when it is delivered, in RFC 3339.
    package var at: String?
    /// Why, of what failed, was missed or skipped.
    package var reason: String?
    /// For how many it stands.
    package var count: Int

    /// An entry of the history.
    package init(_ entry: HistoryEntry) {
        occurrence = entry.occurrence.rfc3339
        action = entry.action
        due = entry.due.rfc3339
        count = entry.count
        switch entry.end {
        case .open: end = "open"
        case .delivered(let instant):
            end = "delivered"
            at = instant.rfc3339
        case .failed(let why):
            end = "failed"
            reason = why
        case .missed(let why):
            end = "missed"
            reason = why.words
        case .skipped(let why):
            end = "skipped"
            reason = why
        }
    }
}

/// A delivery and its last attempts.
package struct DeliveryAnswer: Codable, Sendable, Hashable {
    /// An attempt.
    package struct Attempt: Codable, Sendable, Hashable {
        /// From 1.
        package var number: Int
        /// When it began, in RFC 3339.
        package var started: String
        /// When it ended, in RFC 3339.
        package var ended: String
        /// `delivered`, `retry`, `dead`, `expired`, `skipped` or `interrupted`.
        package var outcome: String
        /// Why, unless it was delivered.
        package var reason: String?
        /// The exit status of a command.
        package var exitStatus: Int?
        /// The status of an HTTP answer.
        package var httpStatus: Int?
        /// What a command wrote to standard output.
        package var output: String?
        /// What it wrote to standard error.
        package var errors: String?
        /// The body of an HTTP answer.
        package var body: String?
        /// What is missing of the output.
        package var outputCut: Cut?
        /// What is missing of the standard error.
        package var errorsCut: Cut?
        /// What is missing of the body.
        package var bodyCut: Cut?

        /// Where a text is not whole, because no more of it is kept.
        package enum Cut: String, Codable, Sendable, Hashable {
            /// Its beginning is missing.
            case start
            /// Its end is missing.
            case end
        }

        enum CodingKeys: String, CodingKey {
            case number, started, ended, outcome, reason, output, errors, body
            case outputCut = "output-cut"
            case errorsCut = "errors-cut"
            case bodyCut = "body-cut"
            case exitStatus = "exit-status"
            case httpStatus = "http-status"
        }
    }

    /// Its id, which the sink gets as well.
    package var id: String
    /// The id of the definition.
    package var definition: String
    /// The instant of the occurrence, in RFC 3339.
    package var occurrence: String
    /// `expiry`, `before:P1D` and the like.
    package var action: String
    /// The sink.
    package var sink: String
    /// When the action was due, in RFC 3339.
    package var due: String
    /// `queued`, `pending`, `claimed`, `delivered`, `dead`, `expired`, `skipped` or `discarded`.
    package var state: String
    /// How many attempts have begun.
    package var attempts: Int
    /// While it is open: the earliest instant of the next attempt, in RFC 3339.
    package var nextAttempt: String?
    /// Since when it is over, in RFC 3339.
    package var settled: String?
    /// Why it is where it is.
    package var reason: String?
    /// The last attempts, oldest first.
    package var log: [Attempt]

    enum CodingKeys: String, CodingKey {
        case id, definition, occurrence, action, sink, due, state, attempts, settled, reason, log
        case nextAttempt = "next-attempt"
    }

    /// A delivery of the store.
    package init(_ record: DeliveryRecord) {
        id = record.id.rawValue
        definition = record.definition.rawValue
        occurrence = record.occurrence.rfc3339
        action = record.action
        sink = record.sink.rawValue
        due = record.due.rfc3339
        state = record.state.rawValue
        attempts = record.attempts
        nextAttempt = record.nextAttempt?.rfc3339
        settled = record.settled?.rfc3339
        reason = record.reason
        log = record.log.map { attempt in
            Attempt(
                number: attempt.number, started: attempt.started.rfc3339, ended: attempt.ended.rfc3339,
                outcome: attempt.outcome.rawValue, reason: attempt.reason, exitStatus: attempt.report.exitStatus,
                httpStatus: attempt.report.httpStatus, output: attempt.report.output?.text,
                errors: attempt.report.errors?.text, body: attempt.report.body?.text,
                outputCut: attempt.report.output?.cut, errorsCut: attempt.report.errors?.cut,
                bodyCut: attempt.report.body?.cut)
        }
    }
}

extension DeliveryReport.Excerpt {
    fileprivate var cut: DeliveryAnswer.Attempt.Cut? { isCutAtStart ? .start : isCutAtEnd ? .end : nil }
}

/// How many deliveries were moved.
package struct CountAnswer: Codable, Sendable, Hashable {
    /// How many.
    package var count: Int

    /// That many.
    package init(count: Int) {
        self.count = count
    }
}
