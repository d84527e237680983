import SimulationChecker
import TminusCore
import TminusTestKit

/// What happens from outside.
extension Simulation {
    mutating func keep(_ appointment: Appointment) async {
        switch appointment {
        case .happening(let index): await perform(plan.happenings[index].deed)
        case .start: await start()
        case .tidy: await tidy()
        case .write(let commit, let run):
            guard machines[run] != nil else { return }
            let result = await write(commit, of: run)
            if await crashes(.crashAfterCommit, run) { return }
            agenda.add(steady, .written(result, run: run))
        case .written(let result, let run): await step([.committed(result)], of: run)
        case .follow(let place): follow(at: place)
        case .wakeFollower(let run): await step([.hint], of: run)
        case .attemptFault(let fault, let run): await perform(fault, run)
        case .reconnect(let run): await reconnect(run)
        case .look: await lookAtFollowers()
        case .taken(let attempt, let run): taken(attempt, run: run)
        case .told(let attempt, let run): await told(attempt, run: run)
        case .giveUp(let run): await step([.giveUp], of: run)
        case .abandon(let run): await step([.abandon], of: run)
        case .moodOver(let number):
            guard number == moods else { return }
            store.mood = .works
            record(.storeWorks)
            let now = now
            if let leader { await machines[leader]?.keep(in: store.stored, now: now) }
        case .mannerOver(let sink, let number): if manners[sink]?.number == number { manners[sink] = nil }
        }
    }

    /// What the daemon does once an hour; here less often, because it takes most of the time of a run.
    private mutating func tidy() async {
        agenda.add(steady + 6 * Plan.hour, .tidy)
        guard let leader, store.mood == .works else { return }
        try? await store.stored.prune(.standard, now: now)
        let released = try? await store.releaseExpiredClaims(leader: leader, now: now)
        if released?.count ?? 0 > 0 { await step([.hint]) }
    }

    private mutating func perform(_ deed: Deed) async {
        switch deed {
        case .write(let drafts): await write(drafts)
        case .damage(let id):
            // What is kept of a file is written after it was read; until then a broken one has nothing to go back to.
            guard files.drafts[id] != nil, machine?.hasUnkept == false, machine?.isStopping == false else { return }
            files.broken.insert(id)
            sometimes.note(.broken)
            await readFiles()
        case .mend(let id):
            guard files.broken.remove(id) != nil else { return }
            sometimes.note(.mended)
            if machine?.isStopping == false { await readFiles() }
        case .ask(let wish): await ask(wish)
        case .setClock(let step): await setClock(by: step)
        case .sleep(let time):
            steady += time
            slept += time
            sometimes.note(.sleep)
            record(.slept(time))
            await wakeAll()
        case .crash(let effects, let time):
            guard let leader else { return }
            machines[leader]?.effectsLeft = effects
            down = time
        case .crashFollower(let place, let effects, let time): crashFollower(at: place, effects: effects, down: time)
        case .stopFollower(let place, let time): await stopFollower(at: place, down: time)
        case .crashAttempt(let place, let time): fleet.faults[place] = .crash(down: time)
        case .cutOff(let place, let time): fleet.faults[place] = .cutOff(lasts: time)
        case .stop(let time):
            guard let number = leader, machine?.isStopping == false else { return }
            down = time
            machines[number]?.isStopping = true
            sometimes.note(.orderlyStop)
            record(.stopping)
            agenda.add(steady + 25_000_000_000, .giveUp(run: number))
            agenda.add(steady + 29_000_000_000, .abandon(run: number))
            await step([.stop])
        case .trouble(let mood, let time):
            moods += 1
            store.mood = mood
            record(.storeTroubled)
            agenda.add(steady + time, .moodOver(moods))
        case .receiver(let sink, let manner, let time):
            guard manners[sink]?.number != .max else { return }
            guard let time else {
                manners[sink] = (manner, .max)
                return
            }
            let number = attempts + 1
            manners[sink] = (manner, number)
            agenda.add(steady + time, .mannerOver(sink, number))
        }
    }

    private mutating func write(_ drafts: [String: Draft?]) async {
        for (id, draft) in drafts.sorted(by: { $0.key < $1.key }) {
            switch (files.drafts[id], draft) {
            case (nil, .some): sometimes.note(files.known.contains(id) ? .restored : .added)
            case (.some, nil): sometimes.note(.removed)
            case (.some, .some): sometimes.note(.changed)
            case (nil, nil): continue
            }
            files.write(id, draft)
            record(.edited(id, draft?.rule))
        }
        if machine?.isStopping == false { await readFiles() }
    }

    private mutating func setClock(by step: Nanoseconds) async {
        offset += step
        let farBack = -3 * Plan.hour
        sometimes.note(step > 0 ? .clockForward : step < farBack ? .clockFarBack : .clockBack)
        if machine == nil { sometimes.note(.clockSetWhileDown) }
        record(.clockSet(by: step))
        await wakeAll()
    }

    private mutating func ask(_ wish: Wish) async {
        guard machine != nil else { return }
        var wish = wish
        if wish.verb == .mute { wish.amount += steady + offset }
        guard let request = request(&wish) else { return }
        var random = random(for: "twice \(steady)")
        let count = random.below(8) == 0 ? 2 : 1
        if count == 2 { sometimes.note(.controlTwice) }
        var inputs: [EngineInput] = []
        for _ in 0..<count {
            tickets += 1
            record(.asked(tickets, wish))
            inputs.append(.request(request, ticket: UInt64(tickets)))
        }
        await step(inputs)
    }

    /// The request for the engine; nil if somebody fires a definition that does not exist.
    private func request(_ wish: inout Wish) -> EngineRequest? {
        guard let id = wish.definition else {
            let until = Timestamp(nanoseconds: wish.amount)
            return .controlAll(GeneralControl(wish.verb == .mute ? .mute(until: until) : .unmute, by: "somebody"))
        }
        if wish.verb == .fire {
            guard let definition = machine?.definition(id),
                let firing = try? Firing.test(of: definition, reminder: nil, sink: nil, now: now)
            else { return nil }
            wish.sinks = firing.sinks.map(\.rawValue)
            return .fire(firing, waits: false)
        }
        guard let id = DefinitionID(id), let control = Control(wish) else { return nil }
        return .control(ControlRequest(id: id, control: control, by: "somebody"))
    }
}

extension Control {
    fileprivate init?(_ wish: Wish) {
        switch wish.verb {
        case .start: self = .start(adding: nil)
        case .add: self = .start(adding: .nanoseconds(wish.amount))
        case .pause: self = .pause
        case .resume: self = .resume
        case .stop: self = .stop
        case .reset: self = .reset
        case .lap: self = .lap
        case .snooze: self = .snooze(for: .nanoseconds(wish.amount))
        case .skip: self = .skip
        case .mute: self = .mute(until: Timestamp(nanoseconds: wish.amount))
        case .unmute: self = .unmute
        case .fire: return nil
        }
    }
}
