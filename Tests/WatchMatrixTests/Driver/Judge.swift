import TminusCore

/// Finds what is wrong with the states that a step went through.
struct Judge {
    /// What was in force before.
    let before: Scene.State
    /// What was in force from then on, to the fence.
    let states: [Scene.State]
    let expectation: Expectation
    /// The deadlines of all definitions when they were first seen.
    let deadlines: [String: Timestamp]
    /// When the last write was; nil if that cannot be known.
    let written: Timestamp?

    /// The states in which something else is in force than in the one before.
    var reloads: [Scene.State] {
        var known = before
        return states.filter { state in
            defer { known = state }
            return state.hash != known.hash || state.diagnostics != known.diagnostics
        }
    }

    /// From the last write to the change that was in force in the end; nil if that cannot be known.
    var latency: Duration? {
        guard let written, let last = reloads.last else { return nil }
        return written.duration(to: last.arrival)
    }

    /// One sentence for each thing that is wrong.
    var faults: [String] {
        var faults = countFaults + itemFaults + deadlineFaults + problemFaults
        if let limit = expectation.latency, let latency, latency > limit {
            faults.append("in force after \(latency), later than \(limit)")
        }
        if let limit = expectation.notBefore, let latency, latency < limit {
            faults.append("in force after \(latency), sooner than \(limit)")
        }
        return faults
    }

    private var countFaults: [String] {
        let count = reloads.count
        return expectation.reloads.contains(count) ? [] : ["\(count) reloads, not \(expectation.reloads)"]
    }

    private var itemFaults: [String] {
        let after = expectation.items(after: before.items)
        var faults: [String] = []
        var done: Set<String> = []
        for (index, state) in states.enumerated() {
            let number = "state \(index + 1) of \(states.count)"
            for id in Set(before.items.keys).union(after.keys).union(state.items.keys).sorted() {
                let (old, now, new) = (before.items[id], state.items[id], after[id])
                if now == nil, old != nil, new != nil {
                    if !expectation.mayVanish.contains(id) { faults.append("\(number): \(id) is missing") }
                } else if now != old, now != new {
                    faults.append("\(number): \(id) is \(now ?? "there"), neither old nor new")
                } else if now == new, old != new {
                    done.insert(id)
                } else if done.contains(id), !expectation.mayVanish.contains(id) {
                    faults.append("\(number): \(id) is old again")
                }
            }
        }
        if let last = states.last, last.items != after {
            faults.append("in force in the end: \(last.items.text), not \(after.text)")
        }
        return faults
    }

    private var deadlineFaults: [String] {
        states.flatMap { state in
            state.deadlines.compactMap { id, deadline in
                guard let first = deadlines[id], first != deadline else { return nil }
                return "the deadline of \(id) moved by \(first.duration(to: deadline))"
            }
        }
    }

    private var problemFaults: [String] {
        var faults: [String] = []
        if !expectation.mayComplain {
            for state in reloads.dropLast() { faults += state.diagnostics.map { "on the way: \($0.message)" } }
        }
        let last = (states.last ?? before).diagnostics
        for text in expectation.problems where !last.contains(where: { $0.text.contains(text) }) {
            faults.append("no problem says '\(text)', but: \(last.map(\.text))")
        }
        if expectation.problems.isEmpty { faults += last.map { "in the end: \($0.text)" } }
        return faults
    }
}

extension Diagnostic {
    /// Its place and message.
    var text: String { "\(location.file):\(location.line):\(location.column): \(message)" }
}

extension [String: String] {
    /// In the order of the keys.
    fileprivate var text: String {
        let pairs = sorted { $0.key < $1.key }.prefix(12).map { "\($0.key)=\($0.value)" }
        return "[\(pairs.joined(separator: " "))\(count > 12 ? " …" : "")]"
    }
}
