package import TminusCore

/// The undelivered deliveries, as counts.
package struct StatusDeliveries: Codable, Sendable, Hashable {
    /// The counts of one sink.
    package struct Sink: Codable, Sendable, Hashable {
        /// The sink's key.
        package var sink: String
        /// The title of the sink: its name, or its kind, target and place in the files.
        package var title: String
        /// True if its deliveries wait for it, because no file declares it at present; otherwise nil.
        package var waitsForSink: Bool?
        /// Deliveries that wait for their first attempt.
        package var waiting: Int
        /// Deliveries that are being attempted.
        package var running: Int
        /// Deliveries that failed at least once and are attempted again.
        package var retrying: Int
        /// The next of these attempts, in RFC 3339.
        package var nextAttempt: String?
        /// Dead deliveries.
        package var dead: Int
        /// When the oldest of them died, in RFC 3339.
        package var oldestDead: String?

        enum CodingKeys: String, CodingKey {
            case sink, title, waiting, running, retrying, dead
            case waitsForSink = "waits-for-sink"
            case nextAttempt = "next-attempt"
            case oldestDead = "oldest-dead"
        }

        /// Creates the counts from those of the store.
        package init(_ standing: SinkStanding) {
            sink = standing.sink.rawValue
            title = standing.title
            waitsForSink = standing.isAwaited ? true : nil
            waiting = standing.waiting
            running = standing.running
            retrying = standing.undelivered.retrying
            nextAttempt = standing.undelivered.nextAttempt?.rfc3339
            dead = standing.undelivered.dead
            oldestDead = standing.undelivered.oldestDead?.rfc3339
        }
    }

    /// Deliveries that wait for their first attempt.
    package var waiting: Int
    /// Deliveries that are being attempted.
    package var running: Int
    /// Deliveries that failed at least once and are attempted again.
    package var retrying: Int
    /// The next of these attempts, in RFC 3339.
    package var nextAttempt: String?
    /// Dead deliveries.
    package var dead: Int
    /// When the oldest of them died, in RFC 3339.
    package var oldestDead: String?
    /// The sinks with undelivered deliveries.
    package var sinks: [Sink]

    enum CodingKeys: String, CodingKey {
        case waiting, running, retrying, dead, sinks
        case nextAttempt = "next-attempt"
        case oldestDead = "oldest-dead"
    }

    /// Creates the counts from those of the store.
    package init(_ standing: DeliveryStanding = DeliveryStanding()) {
        let all = standing.sinks
        waiting = all.reduce(0) { $0 + $1.waiting }
        running = all.reduce(0) { $0 + $1.running }
        retrying = all.reduce(0) { $0 + $1.undelivered.retrying }
        nextAttempt = all.compactMap(\.undelivered.nextAttempt).min()?.rfc3339
        dead = all.reduce(0) { $0 + $1.undelivered.dead }
        oldestDead = all.compactMap(\.undelivered.oldestDead).min()?.rfc3339
        sinks = all.map { Sink($0) }
    }
}

/// How the deliveries of one definition fare.
package struct StatusDefinition: Codable, Sendable, Hashable {
    /// The definition's id.
    package var id: String
    /// Deliveries that failed at least once and are attempted again.
    package var retrying: Int
    /// The next of these attempts, in RFC 3339.
    package var nextAttempt: String?
    /// Dead deliveries.
    package var dead: Int
    /// When the oldest of them died, in RFC 3339.
    package var oldestDead: String?
    /// How the last action ended that was due; nil if there was none.
    package var lastOutcome: HistoryAnswer?

    enum CodingKeys: String, CodingKey {
        case id, retrying, dead
        case nextAttempt = "next-attempt"
        case oldestDead = "oldest-dead"
        case lastOutcome = "last-outcome"
    }

    /// Creates the answer for a definition.
    package init(_ id: DefinitionID, _ count: UndeliveredCount?, lastOutcome: HistoryEntry?) {
        self.id = id.rawValue
        retrying = count?.retrying ?? 0
        nextAttempt = count?.nextAttempt?.rfc3339
        dead = count?.dead ?? 0
        oldestDead = count?.oldestDead?.rfc3339
        self.lastOutcome = lastOutcome.map { HistoryAnswer($0) }
    }
}

extension StatusAnswer {
    /// Something that needs a person. It goes away when it has been dealt with.
    package struct Attention: Codable, Sendable, Hashable {
        /// The kind of problem.
        package enum Reason: String, Codable, Sendable, Hashable, CaseIterable {
            /// The store cannot be written, or not be read.
            case store
            /// The config directory has a problem, or nothing of it is in force yet.
            case directory
            /// Not all content of a file is in force.
            case file
            /// Deliveries are dead.
            case deadLetters = "dead-letters"
            /// Deliveries wait for a sink that no file declares.
            case missingSink = "missing-sink"
            /// No machine has the labels that a sink asks for.
            case unplacedSink = "unplaced-sink"
            /// A machine that stands by has other definition files.
            case otherFiles = "other-files"
        }

        /// The kind of problem.
        package var reason: Reason
        /// The problem and what to do, in one line.
        package var message: String

        /// Creates the value from its members.
        package init(_ reason: Reason, _ message: String) {
            self.reason = reason
            self.message = message
        }
    }
}

extension StatusAnswer.Attention {
    /// Everything in a status that needs a person.
    static func all(
        storeProblems: [String], problems: [String], live: LiveAnswer, files: [StatusAnswer.File],
        deliveries: StatusDeliveries?, unplaced: [String] = [], differentFollowers: [String] = []
    ) -> [Self] {
        var all = storeProblems.map { Self(.store, $0) }
        if deliveries == nil, storeProblems.isEmpty { all.append(Self(.store, "the store cannot be read")) }
        all += problems.map { Self(.directory, $0) }
        if live.generation == 0, problems.isEmpty {
            all.append(Self(.directory, "no definitions are in force yet; 'tminus wait' waits for them"))
        }
        all += files.compactMap { $0.problem.map { Self(.file, $0) } }
        for sink in deliveries?.sinks ?? [] {
            if sink.dead > 0 {
                let command = "tminus deliveries --only dead --sink \(sink.sink)"
                all.append(Self(.deadLetters, "\(sink.title): \(sink.dead) dead; see '\(command)'"))
            }
            let waiting = sink.waiting + sink.retrying
            if sink.waitsForSink == true, waiting > 0 {
                let count = waiting == 1 ? "1 delivery waits" : "\(waiting) deliveries wait"
                all.append(
                    Self(.missingSink, "\(sink.title): \(count) for this sink, which no file declares any more"))
            }
        }
        all += unplaced.map { Self(.unplacedSink, $0) }
        all += differentFollowers.map {
            Self(.otherFiles, "\($0): has other definition files than the leader")
        }
        return all
    }
}

extension StatusAnswer.File {
    /// What is wrong with the file, in one line; nil if all its content is in force, is not stable yet, or is ignored.
    package var problem: String? {
        let consequence: String?
        switch state {
        case "stale": consequence = "its last good content stays in force"
        case "failed": consequence = "none of it is in force"
        case "unreadable":
            consequence = message?.hasPrefix("cannot be read") == true ? nil : "it cannot be read"
        case "partial": consequence = "the rest of it is in force"
        case "duplicate": consequence = "other files own its definitions"
        default: return nil
        }
        let more = errors > 1 ? " (and \(errors - 1) more)" : ""
        let words = [message.map { "\($0)\(more)" }, consequence].compactMap(\.self).joined(separator: "; ")
        return "\(path)\(place.map { ":\($0.text)" } ?? ""): \(words)"
    }
}
