/// One attempt to begin: a delivery and the sink that takes it.
package struct Attempt: Sendable {
    /// Tells the attempts of a process apart.
    package typealias Number = UInt64

    /// Its number.
    package var number: Number
    /// What is handed over.
    package var delivery: Delivery
    /// The sink, with its retry policy.
    package var sink: ConfiguredSink

    /// An attempt.
    package init(_ number: Number, delivery: Delivery, sink: ConfiguredSink) {
        self.number = number
        self.delivery = delivery
        self.sink = sink
    }
}

/// How an attempt ended. It is made where the attempt ended, and ``DispatchMachine`` turns it into a ``Settlement``.
package struct AttemptOutcome: Sendable {
    /// Which attempt.
    package var attempt: Attempt.Number
    /// What the end means by the retry policy of the sink.
    package var outcome: Outcome
    /// What the sink reported.
    package var report: DeliveryReport
    /// When it ended.
    package var ended: ClockReading

    /// The end of an attempt.
    package init(
        of attempt: Attempt.Number, _ outcome: Outcome, report: DeliveryReport = .empty, ended: ClockReading
    ) {
        self.attempt = attempt
        self.outcome = outcome
        self.report = report
        self.ended = ended
    }
}
