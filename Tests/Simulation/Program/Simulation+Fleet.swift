import SimulationChecker
import TminusCore
import TminusTestKit

/// What is to happen to a follower in the middle of an attempt.
enum AttemptFault {
    case crash(down: Nanoseconds)
    case cutOff(lasts: Nanoseconds)
}

/// What a run knows of its followers.
struct Fleet {
    /// The processes that run, by place.
    var running: [Int: Int] = [:]
    /// For how long the follower at a place stays away when it ends.
    var down: [Int: Nanoseconds] = [:]
    /// What is to happen to the follower at a place in its next attempt.
    var faults: [Int: AttemptFault] = [:]
    /// Those that are gone and whose claims wait, and from when on the leader may release them.
    var gone: [Int: Nanoseconds] = [:]
}

/// Several machines over one store. One has the schedule, and the others deliver beside it.
extension Simulation {
    /// How long a process that is gone counts as one that lives.
    private static let lease: Nanoseconds = 10_000_000_000
    /// How often a machine looks for what nobody told it.
    private static let interval: Nanoseconds = 3_000_000_000

    mutating func wakeAll() async {
        for run in machines.keys.sorted() { await step([.wake], of: run) }
    }

    mutating func follow(at place: Int) {
        guard fleet.running[place] == nil else { return }
        starts += 1
        let origin = Machine.Origin(offset: offset, slept: slept)
        machines[starts] = Machine(
            follower: starts, labels: Plan.labels(at: place), reading(since: origin), origin)
        fleet.running[place] = starts
        store.followers.insert(starts)
        record(.follows(starts))
        agenda.add(steady, .wakeFollower(run: starts))
    }

    /// How long a commit is on its way to the database, so that the turns of the machines come between each other. One with a control is
    /// there at once: otherwise nobody outside could tell when it counts.
    func fleetDelay(of run: Int, _ commit: Commit) -> Nanoseconds {
        guard commit.controls.isEmpty else { return 0 }
        var random = random(for: "on its way \(steady) \(run)")
        return Int64(random.below(40)) * 1_000_000
    }

    /// Tells the other machines that a process has written something.
    mutating func tellOthers(of run: Int) {
        for other in machines.keys.sorted() where other != run {
            var random = random(for: "bell \(steady) \(run) \(other)")
            let isLost = random.below(8) == 0
            if isLost { sometimes.note(.bellLost) }
            let time = steady + (isLost ? Self.interval : Int64(random.below(50)) * 1_000_000)
            agenda.add(time, other == leader ? .look : .wakeFollower(run: other))
        }
    }

    /// Nobody tells the followers that claims were released, or that what waits was moved along with the clock. They find out
    /// when they look the next time.
    mutating func letOthersLook() {
        for run in fleet.running.values.sorted() { agenda.add(steady + Self.interval, .wakeFollower(run: run)) }
    }

    /// The leader learns what its followers have done, and releases the claims of those that are gone.
    mutating func lookAtFollowers() async {
        guard let leader else { return }
        guard store.isUsable else { return agenda.add(steady + Self.interval, .look) }
        do {
            let silent = fleet.gone.filter { $0.value <= steady }.keys.sorted()
            if !silent.isEmpty {
                store.followers.subtract(silent)
                let released = try await store.releaseFormerClaims(leader: leader, now: now)
                if released.count > 0 {
                    sometimes.note(.claimsReleased)
                    if silent.contains(where: store.unreachable.contains) { sometimes.note(.cutOffReleased) }
                }
                for run in silent {
                    fleet.gone[run] = nil
                    record(.claimsReleased(run))
                }
                letOthersLook()
            }
            var news = FleetNews()
            news.endedExpiries = try await store.missedExpiries()
            await step([.others(news)])
        } catch {
            violations.append(Violation(rule: "the store cannot be read", detail: "\(error)", steady: steady))
        }
    }

    /// A process begins to lead. It was one of the followers, which ends what it has begun.
    mutating func takeOver() async {
        guard kind == .fleet, let leader else { return }
        // What they claimed was released at the start, unless the store still took them for living.
        agenda.add(steady, .look)
        letOthersLook()
        if !fleet.running.isEmpty { sometimes.note(.takeOver) }
        var random = random(for: "take-over \(leader)")
        await stopFollower(at: random.below(plan.followers), down: 1_000_000_000)
    }

    mutating func crashFollower(at place: Int, effects: Int, down: Nanoseconds) {
        guard let run = fleet.running[place] else { return }
        machines[run]?.effectsLeft = effects
        fleet.down[place] = down
    }

    mutating func stopFollower(at place: Int, down: Nanoseconds) async {
        guard let run = fleet.running[place], machines[run]?.isStopping == false else { return }
        machines[run]?.isStopping = true
        fleet.down[place] = down
        sometimes.note(.followerStop)
        record(.followerLeaves(run))
        await step([.stop], of: run)
    }

    /// What was to happen to a follower in the middle of an attempt happens.
    mutating func perform(_ fault: AttemptFault, _ run: Int) async {
        guard steady < plan.length, let place = fleet.running.first(where: { $0.value == run })?.key else { return }
        switch fault {
        case .crash(let time):
            fleet.down[place] = time
            await end(run, cutsPower: nil)
        case .cutOff(let time): cutOff(run, lasts: time)
        }
    }

    private mutating func cutOff(_ run: Int, lasts time: Nanoseconds) {
        guard store.unreachable.insert(run).inserted else { return }
        if machines[run]?.running.isEmpty == false { sometimes.note(.cutOffInAttempt) }
        record(.followerLeaves(run))
        fleet.gone[run] = steady + Self.lease
        agenda.add(steady + Self.lease + Self.interval, .look)
        agenda.add(steady + time, .reconnect(run: run))
    }

    mutating func reconnect(_ run: Int) async {
        guard store.unreachable.remove(run) != nil, machines[run] != nil else { return }
        fleet.gone[run] = nil
        store.followers.insert(run)
        // One that is to end claims nothing any more.
        if machines[run]?.isStopping == false { record(.reconnected(run)) }
        await step([.hint], of: run)
    }

    /// A follower is gone.
    mutating func endFollower(_ run: Int, hadAttempts: Bool, inOrder: Bool) async {
        guard let place = fleet.running.first(where: { $0.value == run })?.key else { return }
        if !inOrder { sometimes.note(hadAttempts ? .followerCrashInAttempt : .followerCrash) }
        fleet.running[place] = nil
        record(.followerGone(run))
        // One that ends in order says so.
        let until = steady + (inOrder && !store.unreachable.contains(run) ? 0 : Self.lease)
        fleet.gone[run] = until
        agenda.add(until + Self.interval, .look)
        agenda.add(steady + fleet.down[place, default: 1_000_000_000], .follow(place: place))
        store.unreachable.remove(run)
        _ = try? await store.end(run, cutsPower: nil)
    }

    /// Notes who begins an attempt that lasts so long. Only machines that have what its sink asks for may.
    mutating func noteBegin(of delivery: Delivery, _ run: Int, lasts time: Nanoseconds) {
        guard kind == .fleet else { return }
        let place = fleet.running.first { $0.value == run }?.key
        if let place {
            sometimes.note(.followerDelivers)
            if let fault = fleet.faults.removeValue(forKey: place) {
                agenda.add(steady + time / 2, .attemptFault(fault, run: run))
            }
        }
        guard let wanted = plan.runOn[delivery.sink.rawValue] else { return }
        switch wanted {
        case .leader: sometimes.note(.onlyLeader)
        case .east: sometimes.note(.onlyLabelled)
        case .west: sometimes.note(.onlyFollowers)
        }
        guard !wanted.allows(place) else { return }
        violations.append(
            Violation(
                rule: "a machine that may not serve the sink", detail: "\(delivery.sink) by process \(run)",
                steady: steady))
    }
}
