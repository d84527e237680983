extension DispatchMachine {
    /// Whether the counts of claimed deliveries agree with the lanes; cheap enough for each step of a debug build.
    var isCounted: Bool {
        lanes.isCounted && running.count == lanes.byID.values.reduce(0) { $0 + $1.running }
    }

    /// Whether every claimed delivery is in exactly one place: waiting, running or to be settled. Costs a pass over all of them.
    var isConsistent: Bool {
        let waiting = lanes.byID.values.flatMap { $0.waiting.map(\.claim.token) }
        let tokens = waiting + running.all.map(\.delivery.claim.token) + unwritten.tokens
        return isCounted && tokens.count == Set(tokens).count
    }
}
