/// How far the clock was set, and how long the machine slept, as far as the engine has noticed.
struct ClockMoves: Sendable {
    private var setBy: Duration
    private var slept: Duration
    private let isFollower: Bool
    /// By how much the clock was set without the store knowing it.
    private(set) var unwritten: Duration = .zero
    /// Until when a follower writes and claims nothing, in steady time. The leader moves what waits in the store along with the clock, but
    /// may notice the step later. Until it has, a follower would take the step for time that has passed, and the waits that it writes
    /// would be moved once more.
    private var silentUntil: Timestamp?

    /// The leader notices a step at most this much later than a follower: each machine measures the clock every few seconds.
    private static let leaderDelay = Duration.seconds(10)
    /// A shorter step makes no difference to what waits.
    private static let smallStep = Duration.seconds(1)

    /// No move since a reading. `isFollower`: whether another machine moves what waits in the store.
    init(since reading: ClockReading, isFollower: Bool) {
        setBy = reading.setBy
        slept = reading.slept
        self.isFollower = isFollower
    }

    /// A clock that was set, and a sleep, come before anything else that waits: otherwise that would end timers whose clock they do not
    /// move. Returns what is to be told.
    mutating func notice(_ reading: ClockReading, _ inputs: inout WaitingInputs) -> [EngineReport] {
        var reports: [EngineReport] = []
        if reading.slept != slept {
            let slept = reading.slept - slept
            inputs.prepend(.slept(for: slept))
            reports.append(.slept(for: slept))
            self.slept = reading.slept
        }
        if reading.setBy != setBy {
            let step = reading.setBy - setBy
            inputs.clockSet(by: step)
            inputs.prepend(.clockStepped(by: step))
            if !isFollower {
                unwritten += step
            } else if step.magnitude > Self.smallStep {
                silentUntil = reading.steady.advanced(by: Self.leaderDelay)
            }
            reports.append(.clockSet(by: step))
            setBy = reading.setBy
        }
        return reports
    }

    /// Until when the store is to be left alone, in wall time; nil if it is not.
    func silence(at reading: ClockReading) -> Timestamp? {
        silentUntil.flatMap { reading.steady < $0 ? $0.advanced(by: reading.setBy) : nil }
    }

    /// A commit told the store of a step.
    mutating func written(_ step: Duration) { unwritten -= step }
}
