/// How far a clock that can only be asked, such as that of a database, is from the steady clock of this machine.
///
/// A measurement proves two bounds, because the other clock was read between the question and the answer. The distance stays as it is
/// while it is within them, and otherwise moves to the nearer bound: no further than is proved. So the time that a trip takes never
/// moves it. The bounds of a slow trip, or of one in whose midst this process was stopped, are wide, and such a trip counts for little by
/// itself.
///
/// What is left are real differences between the clocks. A small one is the drift of a quartz, or a clock that is slewed; the shown time
/// makes it up by and by, and never runs backwards. A large one is a clock that was set, or the clock of another server, and is a jump.
package struct ClockDistance: Sendable {
    /// One question to the other clock.
    package struct Measurement: Sendable {
        /// The steady time before the question was sent.
        package var sent: Timestamp
        /// What the other clock showed.
        package var there: Timestamp
        /// The steady time after the answer came.
        package var received: Timestamp

        /// A measurement.
        package init(sent: Timestamp, there: Timestamp, received: Timestamp) {
            (self.sent, self.there, self.received) = (sent, there, received)
        }
    }

    /// What a measurement has changed.
    package enum Change: Sendable, Hashable {
        /// Nothing: it proves no other distance.
        case nothing
        /// The shown time runs a little faster or slower for a while. The first measurement counts as this.
        case course
        /// The shown time has jumped, and with it ``ClockDistance/setBy``.
        case jump
    }

    /// The largest difference that is made up by and by. A quartz needs an hour to drift that far (some 25 ppm), and a clock that the
    /// kernel slews three minutes (500 ppm, adjtimex(2)). The distance is measured every few seconds, so more than that was no drift, or
    /// came about in a long outage.
    static let largestCorrection = Duration.milliseconds(100)
    /// The shown time runs faster or slower by one part in this many, so that it makes the largest correction up in 2 s.
    private static let slowness = 20

    /// The distance; nil before the first measurement.
    private var distance: Duration?
    /// What the shown time lacked of the distance at an instant of steady time.
    private var lack: (rest: Duration, at: Timestamp) = (.zero, .distantPast)
    /// The sum of all jumps.
    package private(set) var setBy: Duration = .zero

    /// An unknown distance: shows the steady time.
    package init() {}

    /// Takes a measurement.
    package mutating func take(_ measured: Measurement) -> Change {
        let least = measured.received.duration(to: measured.there)
        let most = measured.sent.duration(to: measured.there)
        guard let distance else {
            distance = least + (most - least) / 2
            return .course
        }
        let nearest = min(max(distance, least), most)
        guard nearest != distance else { return .nothing }
        let rest = self.rest(at: measured.received) + (nearest - distance)
        self.distance = nearest
        guard rest.magnitude <= Self.largestCorrection else {
            lack = (.zero, measured.received)
            setBy += rest
            return .jump
        }
        lack = (rest, measured.received)
        return .course
    }

    /// What the other clock shows at an instant of steady time.
    package func now(at steady: Timestamp) -> Timestamp {
        steady.advanced(by: (distance ?? .zero) - rest(at: steady))
    }

    /// The reading of the other clock that goes with a reading of the machine's own.
    package func reading(_ machine: ClockReading) -> ClockReading {
        ClockReading(now: now(at: machine.steady), setBy: setBy, slept: machine.slept)
    }

    /// The first instant of steady time at which the other clock shows `now` or later.
    package func steady(at now: Timestamp) -> Timestamp {
        let distance = distance ?? .zero
        let begin = lack.at.advanced(by: distance - lack.rest)
        guard lack.rest != .zero, now > begin else { return now.advanced(by: lack.rest - distance) }
        let late = now.advanced(by: .zero - distance)
        let end = lack.at.advanced(by: lack.rest.magnitude * Self.slowness)
        guard late < end else { return late }
        // In between it runs by 21 parts in 20, or by 19.
        let pace = lack.rest > .zero ? Self.slowness + 1 : Self.slowness - 1
        return lack.at.advanced(by: begin.duration(to: now) * Self.slowness / pace + .nanoseconds(1))
    }

    /// What the shown time lacks of the distance.
    private func rest(at steady: Timestamp) -> Duration {
        guard lack.rest != .zero else { return .zero }
        let madeUp = max(.zero, lack.at.duration(to: steady)) / Self.slowness
        return lack.rest > .zero ? max(lack.rest - madeUp, .zero) : min(lack.rest + madeUp, .zero)
    }
}

extension Duration {
    /// The length without the sign.
    package var magnitude: Duration { self < .zero ? .zero - self : self }
}
