import SimulationChecker
import TminusCore
import TminusTestKit

/// How a process starts, reads the files and ends.
extension Simulation {
    /// Ends the process, with a seed by a power cut. What it had sent may reach its receivers.
    mutating func end(_ run: Int, cutsPower seed: UInt64?, inOrder: Bool = false) async {
        guard let machine = machines[run] else { return }
        if !machine.running.isEmpty { sometimes.note(machine.isStopping ? .attemptAbandoned : .crashInAttempt) }
        for running in machine.running.values.sorted(by: { $0.number < $1.number })
        where !running.isTaken && running.fate.taken != nil {
            var random = random(for: "cut \(running.attempt.delivery.id) \(running.number)")
            guard random.below(2) == 0 else { continue }
            record(.taken(running.number))
            sometimes.note(.takenUntold)
        }
        (machines[run], wakes[run]) = (nil, nil)
        guard run == leader else {
            return await endFollower(run, hadAttempts: !machine.running.isEmpty, inOrder: inOrder)
        }
        leader = nil
        do {
            if try await store.end(run, cutsPower: seed) > 0 { sometimes.note(.writesLost) }
        } catch {
            violations.append(Violation(rule: "the store cannot be opened", detail: "\(error)", steady: steady))
        }
        if seed != nil { record(.powerCut) }
        record(.crashed(run))
        agenda.add(steady + down, .start)
    }

    mutating func start() async {
        guard machine == nil else { return }
        guard store.isUsable else {
            sometimes.note(.startRefused)
            return agenda.add(steady + 5_000_000_000, .start)
        }
        starts += 1
        let origin = Machine.Origin(offset: offset, slept: slept)
        do {
            machines[starts] = try await Machine(starts, store, reading(since: origin), origin)
            leader = starts
        } catch {
            violations.append(Violation(rule: "the store cannot be read", detail: "\(error)", steady: steady))
        }
        checkDamage()
        record(.started)
        await takeOver()
        if !files.broken.isEmpty { sometimes.note(.startBroken) }
        await readFiles()
    }

    /// Has the process read the files, as it does when they changed.
    mutating func readFiles() async {
        guard let leader, let (input, errors) = machines[leader]?.read(files.contents()) else { return }
        let expected = Set(files.broken.filter { files.drafts[$0] != nil }.map { "\($0).yaml" })
        if errors != expected {
            violations.append(
                Violation(rule: "files with errors", detail: "\(errors.symmetricDifference(expected))", steady: steady))
        }
        let now = now
        if store.isUsable { await machines[leader]?.keep(in: store.stored, now: now) }
        await step([.wake] + (input.map { [$0] } ?? []))
    }
}
