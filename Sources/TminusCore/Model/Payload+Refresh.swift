extension Payload {
    /// Sets the values that depend on the instant of an attempt: `late`, `remaining`, and a message with the remaining
    /// time.
    ///
    /// The message changes only if the words for the remaining time do. Until then a reminder says "in 1 day", like its
    /// definition, and not "in 24 hours".
    package mutating func refresh(at now: Timestamp) {
        let (former, left) = (remaining, now.duration(to: occurrence).nanoseconds)
        remaining = Amount(nanoseconds: left, text: RemainingText.words(left))
        late = scheduled.duration(to: now).nanoseconds
        guard let messageBeforeRemaining, remaining.text != former.text else { return }
        // A user can retry a reminder after its event.
        let isOver = former.nanoseconds > 0 && left < 0
        message = (isOver ? messageBeforeAge : messageBeforeRemaining) + remaining.text
    }

    /// The part of a message before the time since the occurrence.
    var messageBeforeAge: String {
        (isTest == true ? Self.testPrefix : "") + (kind == .event ? "\(name) was due " : "\(name) ended ")
    }

    /// Marks the payload as a test that a user sent.
    mutating func markAsTest() {
        isTest = true
        message = Self.testPrefix + message
        messageBeforeRemaining = messageBeforeRemaining.map { Self.testPrefix + $0 }
    }

    private static let testPrefix = "Test: "
}
