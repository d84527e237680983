import SimulationChecker
import TminusCore
import TminusTestKit

/// What an engine wants, and what happens between two of its effects.
extension Simulation {
    /// Has the engine of the leader take a step.
    mutating func step(_ inputs: [EngineInput]) async {
        if let leader { await step(inputs, of: leader) }
    }

    /// Has the engine of a process take a step, and performs what it wants.
    mutating func step(_ inputs: [EngineInput], of run: Int) async {
        guard let origin = machines[run]?.origin else { return }
        let reading = reading(since: origin)
        guard let turn = machines[run]?.engine.step(inputs, at: reading) else { return }
        wakes[run] = turn.wakeAt
        visits += turn.visits
        await perform(turn, of: run)
    }

    /// Performs the effects in the order in which the program does; the process may end before each of them.
    private mutating func perform(_ turn: Turn, of run: Int) async {
        if let commit = turn.commit {
            if await crashes(in: commit, run) { return }
            if await crashes(.crashBeforeCommit, run) { return }
            if let delay = delay(of: commit, run) {
                agenda.add(steady + delay, .write(commit, run: run))
            } else {
                let result = await write(commit, of: run)
                if await crashes(.crashAfterCommit, run) { return }
                agenda.add(steady, .written(result, run: run))
            }
        }
        for attempt in turn.cancel.sorted() { cancel(attempt, run: run) }
        // The order among sinks is no promise, and hashing decides it.
        let begun = turn.begin.enumerated().sorted {
            ($0.element.delivery.sink, $0.offset) < ($1.element.delivery.sink, $1.offset)
        }
        for (_, attempt) in begun {
            if await crashes(.crashBeforeBegin, run) { return }
            begin(attempt, run: run)
        }
        for (ticket, answer) in turn.answers.sorted(by: { $0.ticket < $1.ticket }) {
            if await crashes(.crashBeforeAnswer, run) { return }
            note(answer, ticket)
        }
        if turn.isOver { await end(run, cutsPower: nil, inOrder: true) }
    }

    /// How long a commit is on its way; nil if the store performs it at once.
    private func delay(of commit: Commit, _ run: Int) -> Nanoseconds? {
        if store.mood == .slow {
            var random = random(for: "slow \(steady)")
            return Int64(random.below(5_000)) * 1_000_000
        }
        return kind == .fleet ? fleetDelay(of: run, commit) : nil
    }

    mutating func write(_ commit: Commit, of run: Int) async -> Swift.Result<Committed, StoreError> {
        var random = random(for: "written \(steady)")
        let isWritten = random.below(2) == 0
        let result = await store.commit(commit, of: run, now: now, isWritten: isWritten, &sometimes)
        if kind == .fleet, case .success = result {
            if !commit.settlements.isEmpty || commit.isDurable {
                tellOthers(of: run)
            } else if commit.clockStep != .zero {
                letOthersLook()
            }
        }
        if let breach = store.breach, violations.isEmpty {
            violations.append(Violation(rule: breach, detail: "", steady: steady))
        }
        return result
    }

    private mutating func note(_ answer: EngineAnswer, _ ticket: UInt64) {
        let isDone: Bool
        switch answer {
        case .control(.success), .controlAll(.success), .fire(.success): isDone = true
        default: isDone = false
        }
        sometimes.note(isDone ? .controlDone : .controlRefused)
        record(.answered(Int(ticket), isDone: isDone))
    }

    /// Whether the process ends in the middle of a commit, where a crash was ordered.
    private mutating func crashes(in commit: Commit, _ run: Int) async -> Bool {
        guard let left = machines[run]?.effectsLeft, left <= 1 else { return false }
        var random = random(for: "cut off \(steady)")
        // A page is two changes. A commit that fires something has about ten, and a checkpoint after it has many.
        let changes = 1 + random.below(random.below(4) == 0 ? 4_000 : 40)
        guard random.below(2) == 0, let isCutOff = await store.cutOff(commit, now: now, after: changes)
        else { return false }
        return await crashes(isCutOff ? .crashInCommit : .crashAfterCommit, run)
    }

    /// Whether the process ends here, where a crash was ordered.
    mutating func crashes(_ event: Sometimes.Event, _ run: Int) async -> Bool {
        guard let left = machines[run]?.effectsLeft else { return false }
        machines[run]?.effectsLeft = left - 1
        guard left <= 1 else { return false }
        sometimes.note(event)
        var random = random(for: "power \(steady)")
        await end(run, cutsPower: kind == .sqlite && random.below(2) == 0 ? random.next() : nil)
        return true
    }
}
