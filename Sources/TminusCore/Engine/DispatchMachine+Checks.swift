extension DispatchMachine {
    /// Whether the counts of claimed deliveries agree with the lanes; cheap enough for each step of a debug build.
    var isCounted: Bool {
        waitingCount == lanes.values.reduce(0) { $0 + $1.waiting.count }
            && running.count == lanes.values.reduce(0) { $0 + $1.running }
    }

    /// Whether every claimed delivery is in exactly one place: waiting, running or to be settled. Costs a pass over all of them.
    var isConsistent: Bool {
        let waiting = lanes.values.flatMap { $0.waiting.map(\.claim.token) }
        let tokens = waiting + running.values.map(\.delivery.claim.token) + unwritten.map(\.settlement.token)
        return isCounted && tokens.count == Set(tokens).count
    }
}
