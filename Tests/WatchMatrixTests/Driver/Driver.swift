import TminusCore
import TminusTestKit
import TminusWatch
import WatchTestSupport

/// Runs one row in one mode.
struct Driver {
    let row: Row
    let mode: WatchOptions.Mode

    /// What came of it.
    func run() async throws -> Outcome {
        if let reason = row.impossible { return Outcome(.notRunnable(reason)) }
        let place = try Place()
        for need in row.needs {
            if let reason = await need.missing(in: place) { return Outcome(.notRunnable(reason)) }
        }
        do {
            // Old files are not waited for at the start.
            try await place.run(row.prepare + "\nage")
        } catch {
            if let cleanup = row.cleanup { _ = await place.succeeds(cleanup) }
            return Outcome(.failed(["preparing: \(error)", place.output]))
        }
        var outcome = if let program = row.program { await run(program, in: place) } else { await watch(place) }
        if let cleanup = row.cleanup { _ = await place.succeeds(cleanup) }
        await place.close()
        // What a tool says helps where something is wrong.
        if case .failed(let faults) = outcome.result { outcome.result = .failed(faults + [place.output]) }
        return outcome
    }

    private func run(_ program: String, in place: Place) async -> Outcome {
        do {
            try await place.run(program, within: Bounded.limit)
            return Outcome(.passed)
        } catch {
            return Outcome(.failed(["\(error)"]))
        }
    }

    private func watch(_ place: Place) async -> Outcome {
        let options = WatchOptions(
            mode: mode, pollInterval: row.pollInterval, rescanInterval: row.rescanInterval, quiet: row.quiet,
            allowsInsecurePermissions: row.allowsInsecurePermissions)
        let scene = Scene(place, root: row.root, options: options)
        let outcome = await run(in: scene)
        await scene.stop()
        return outcome
    }

    private func run(in scene: Scene) async -> Outcome {
        guard await scene.states.wait(upTo: Bounded.limit, until: { !$0.isEmpty }), let first = scene.last else {
            return Outcome(.failed(["nothing in force after the start"]))
        }
        var faults: [String] = []
        if first.items != row.items { faults.append("at the start: \(first.items), not \(row.items)") }
        if mode == .events, scene.watcher.status.mode != .events { faults.append("\(scene.watcher.status.mode)") }
        var deadlines = first.deadlines
        var latencies: [Duration] = []
        for (index, step) in row.steps.enumerated() where faults.isEmpty {
            let result = await run(step, in: scene, deadlines: &deadlines)
            let prefix = row.steps.count == 1 ? "" : "step \(index + 1): "
            faults += result.faults.map { prefix + $0 }
            if let latency = result.latency { latencies.append(latency) }
        }
        let (status, seen) = (scene.watcher.status, scene.states.value.count)
        if status.missedChanges > 0, !row.mayMiss {
            faults.append("a rescan found \(status.missedChanges) missed changes")
        }
        // A value that was not taken is replaced by the next one: what it said would not have been judged.
        if status.emissions > seen { faults.append("\(status.emissions - seen) states were not seen") }
        var outcome = Outcome(faults.isEmpty ? .passed : .failed(faults))
        outcome.latency = latencies.max()
        outcome.isCommon = !row.mayMiss && row.steps.allSatisfy(\.expectation.isCommon)
        return outcome
    }

    private func run(
        _ step: Step, in scene: Scene, deadlines: inout [String: Timestamp]
    ) async -> (faults: [String], latency: Duration?) {
        guard let before = scene.last else { return ([], nil) }
        let count = scene.states.value.count
        do {
            switch step.action {
            case .shell(let script): try await scene.place.run(script, within: step.limit)
            case .code(let body): try await body(scene)
            }
        } catch {
            return (["\(error)"], nil)
        }
        let expectation = step.expectation
        let items = expectation.items(after: before.items)
        let least = expectation.reloads.lowerBound
        var faults: [String] = []
        let isThere = await scene.states.wait(upTo: expectation.patience) { states in
            let state = states.last
            return state?.items == items && (least == 0 || states.count > count) && expectation.hasProblems(of: state)
        }
        if !isThere { faults.append("waited \(expectation.patience) in vain") }
        if isThere, expectation.isFenced {
            do { faults += try await scene.fence() } catch { faults.append("\(error)") }
        }
        let judge = Judge(
            before: before, states: Array(scene.states.value[count...]), expectation: expectation,
            deadlines: deadlines, written: isThere ? scene.lastWrite(since: before) : nil)
        faults += judge.faults
        if isThere, expectation.isOnDisk { faults += scene.differencesFromDisk() }
        faults += expectation.also?(scene) ?? []
        deadlines.merge(scene.last?.deadlines ?? [:]) { first, _ in first }
        return (faults, judge.latency)
    }
}

extension Expectation {
    /// Whether the problems are those of afterwards.
    fileprivate func hasProblems(of state: Scene.State?) -> Bool {
        problems.allSatisfy { text in state?.diagnostics.contains { $0.text.contains(text) } == true }
    }
}
