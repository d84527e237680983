extension Payload {
    /// Sets what depends on the instant of an attempt: `late`, `remaining`, and a message that gives the remaining time.
    ///
    /// The message changes only when the words of the remaining time do: until then a reminder says "in 1 day", as its definition
    /// does, and not "in 24 hours".
    package mutating func refresh(at now: Timestamp) {
        let (former, left) = (remaining, now.duration(to: occurrence).nanoseconds)
        remaining = Amount(nanoseconds: left, text: RemainingText.words(left))
        late = scheduled.duration(to: now).nanoseconds
        guard let messageBeforeRemaining, remaining.text != former.text else { return }
        // A person can retry a reminder when its event is past.
        let isOver = former.nanoseconds > 0 && left < 0
        message = (isOver ? messageBeforeAge : messageBeforeRemaining) + remaining.text
    }

    /// The beginning of a message that ends with the time since the occurrence.
    var messageBeforeAge: String {
        (isTest == true ? Self.testPrefix : "") + (kind == .event ? "\(name) was due " : "\(name) ended ")
    }

    /// Marks it as sent by a person to try it.
    mutating func markAsTest() {
        isTest = true
        message = Self.testPrefix + message
        messageBeforeRemaining = messageBeforeRemaining.map { Self.testPrefix + $0 }
    }

    private static let testPrefix = "Test: "
}
