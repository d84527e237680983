import SimulationChecker
import TminusCore
import TminusTestKit

/// The receivers.
extension Simulation {
    mutating func begin(_ attempt: Attempt, run: Int) {
        attempts += 1
        let delivery = attempt.delivery
        let count = tries[delivery.id, default: 0]
        tries[delivery.id] = count + 1
        var random = random(for: "fate \(delivery.id) \(count)")
        let fate = Fate(
            manners[delivery.sink.rawValue]?.manner ?? .quick, limit: attempt.sink.sink.timeLimit.nanoseconds, &random)
        record(.received(Handover(delivery, number: attempts, process: run)))
        noteBegin(of: delivery, run, lasts: fate.told)
        machines[run]?.running[attempt.number] = Machine.Running(attempt: attempt, number: attempts, fate: fate)
        if let taken = fate.taken { agenda.add(steady + taken, .taken(attempt.number, run: run)) }
        agenda.add(steady + fate.told, .told(attempt.number, run: run))
        if count > 0 { sometimes.note(.attemptRepeated) }
        if delivery.payload.isCatchUp { sometimes.note(.caughtUp) }
        switch delivery.action {
        case .failure: sometimes.note(.notified)
        case .missed: sometimes.note(.missNotified)
        case .reminder, .expiry, .elapsed: break
        }
    }

    mutating func cancel(_ attempt: Attempt.Number, run number: Int) {
        guard var run = machines[number]?.running[attempt] else { return }
        sometimes.note(.attemptCancelled)
        run.fate.taken = nil
        run.fate.refusal = .transient("it was cancelled")
        machines[number]?.running[attempt] = run
        // Some sinks do not stop soon.
        var random = random(for: "cancel \(run.number)")
        let time: Nanoseconds = random.below(4) == 0 ? 8_000_000_000 : 1_000_000
        agenda.add(steady + time, .told(attempt, run: number))
    }

    mutating func taken(_ attempt: Attempt.Number, run number: Int) {
        guard let run = machines[number]?.running[attempt], run.fate.taken != nil else { return }
        machines[number]?.running[attempt]?.isTaken = true
        if run.fate.refusal != nil { sometimes.note(.takenUntold) }
        record(.taken(run.number))
    }

    mutating func told(_ attempt: Attempt.Number, run number: Int) async {
        guard let origin = machines[number]?.origin,
            let run = machines[number]?.running.removeValue(forKey: attempt)
        else { return }
        var random = random(for: "share \(run.attempt.delivery.id) \(run.number)")
        let share = Double(random.below(1_001)) / 1_000
        let end = await run.outcome(at: reading(since: origin), share: share)
        record(.told(run.number, end.verdict))
        await step([.ended(end.outcome)], of: number)
    }
}

extension Handover {
    /// A delivery as its receiver sees it.
    fileprivate init(_ delivery: Delivery, number: Int, process: Int) {
        let action: Action
        switch delivery.action {
        case _ where delivery.payload.isTest == true: action = .test
        case .reminder: action = .reminder
        case .expiry: action = .expiry
        case .elapsed: action = .elapsed
        case .failure: action = .failure
        case .missed: action = .missed
        }
        self.init(
            number: number, process: process, sink: delivery.sink.rawValue, delivery: delivery.id.rawValue,
            definition: delivery.definition.rawValue, occurrence: delivery.occurrence.nanoseconds, action: action,
            due: delivery.due.nanoseconds, isCatchUp: delivery.payload.isCatchUp,
            failed: delivery.payload.failure?.delivery)
    }
}
