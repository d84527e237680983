package import TminusCore

/// What `tminus show` has beyond an ``Item``: the rule, the reminders and what became of them, sinks, recent deliveries
/// and controls. In JSON its members stand beside those of the item.
package struct ItemDetails: Codable, Sendable, Hashable {
    /// The rule and the policies.
    package struct Schedule: Codable, Sendable, Hashable {
        /// A length of time.
        package struct Length: Codable, Sendable, Hashable {
            /// The length in seconds.
            package var seconds: Double
            /// The length in words.
            package var text: String

            init(_ length: Duration) {
                seconds = Double(length.nanoseconds) / 1e9
                text = RemainingText.words(length.nanoseconds)
            }
        }

        /// The key of the rule in the file: `at`, `every`, `cron`, `rrule`, `duration` or `at-elapsed`.
        package var key: String
        /// The rule in its normal form.
        package var rule: String
        /// Its bounds, in words.
        package var bounds: [String]
        /// How missed occurrences are handled.
        package var catchUp: String
        /// How late an expiry is still useful.
        package var grace: Length
        /// The largest delay of an event's expiry; nil for none.
        package var jitter: Length?
        /// What starts a timer or stopwatch: `auto` or `manual`.
        package var start: String?
        /// What a timer does after its expiry.
        package var `repeat`: String?
        /// The clock that measures a timer.
        package var clock: String?

        enum CodingKeys: String, CodingKey {
            case key, rule, bounds, grace, jitter, start, `repeat`, clock
            case catchUp = "catch-up"
        }
    }

    /// A reminder of the occurrence that the item shows, or an alert of a stopwatch.
    package struct Lead: Codable, Sendable, Hashable {
        /// The stored form of the action: `before:P1D`.
        package var action: String
        /// The lead in words: `1 day before`.
        package var lead: String
        /// When it is due, in RFC 3339; nil while the timer or stopwatch does not run.
        package var due: String?
        /// What became of it, or will: `done`, `failed`, `missed`, `skipped`, `open`, `next`, `later`, `muted` or `past`.
        package var status: String
        /// The code of why it failed or is not sent: ``ReasonCode``.
        package var reason: String?
        /// Why, in words.
        package var message: String?
        /// The keys of its sinks.
        package var sinks: [String]
    }

    /// The keys of the sinks of each action.
    package struct Actions: Codable, Sendable, Hashable {
        /// The sinks of an expiry.
        package var onExpiry: [String]
        /// The sinks of a stopwatch's alerts.
        package var onElapsed: [String]
        /// The sinks that are notified of a failure.
        package var onFailure: [String]

        enum CodingKeys: String, CodingKey {
            case onExpiry = "on-expiry"
            case onElapsed = "on-elapsed"
            case onFailure = "on-failure"
        }
    }

    /// A sink that an action names.
    package struct Sink: Codable, Sendable, Hashable {
        /// The sink's key.
        package var sink: String
        /// The title of the sink; nil if it is not in force.
        package var title: String?
    }

    /// The rule and the policies.
    package var schedule: Schedule
    /// The reminders of the occurrence that the item shows, in the order of their instants.
    package var leads: [Lead]
    /// The sinks of each action.
    package var actions: Actions
    /// All sinks that an action names.
    package var sinks: [Sink]
    /// The newest deliveries, newest first.
    package var deliveries: [DeliveryAnswer]
    /// The newest controls, newest first.
    package var controls: [HistoryAnswer]

    /// Creates the details of a definition. `titles` has the titles of sinks in force.
    package init(
        _ definition: Definition, leads: [LeadStanding], titles: [SinkKey: String], deliveries: [DeliveryRecord],
        controls: [ControlRecord]
    ) {
        schedule = Schedule(definition)
        self.leads = leads.map { Lead($0) }
        func keys(_ sinks: [SinkKey]) -> [String] { sinks.map(\.rawValue) }
        actions = Actions(
            onExpiry: keys(definition.onExpiry), onElapsed: keys(definition.onElapsed),
            onFailure: keys(definition.onFailure))
        sinks = definition.allSinks.map { Sink(sink: $0.rawValue, title: titles[$0]) }
        self.deliveries = deliveries.map { DeliveryAnswer($0) }
        self.controls = controls.map { HistoryAnswer($0) }
    }
}

extension Definition {
    /// The keys of all sinks that an action names, sorted.
    package var allSinks: [SinkKey] {
        Set(onExpiry + onElapsed + onFailure + reminders.flatMap(\.actions)).sorted()
    }
}

extension ItemDetails.Schedule {
    fileprivate init(_ definition: Definition) {
        let text = RuleText(definition)
        (key, rule, bounds) = (text.key, text.value, text.bounds)
        catchUp = definition.catchUp.rawValue
        grace = Length(definition.grace)
        switch definition.schedule {
        case .event(let event): if event.jitter > .zero { jitter = Length(event.jitter) }
        case .timer(let timer):
            (start, `repeat`, clock) = (timer.start.rawValue, timer.repetition.rawValue, timer.clock.rawValue)
        case .stopwatch(let stopwatch): start = stopwatch.start.rawValue
        }
    }
}

extension ItemDetails.Lead {
    fileprivate init(_ standing: LeadStanding) {
        self.init(
            action: standing.action.rawValue, lead: standing.action.words, due: standing.due?.rfc3339,
            status: standing.status.rawValue, reason: standing.reason.map { ReasonCode($0).rawValue },
            message: standing.reason, sinks: standing.sinks.map(\.rawValue))
    }
}
