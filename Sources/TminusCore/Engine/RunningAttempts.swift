/// The attempts that run, and which of them are to be cancelled.
struct RunningAttempts: Sendable {
    private var attempts: [Attempt.Number: RunningAttempt] = [:]
    /// Those whose deliveries a person discarded.
    private var discarded: Set<Attempt.Number> = []
    private var last: Attempt.Number = 0
    /// Those to cancel.
    private var cancelled: [Attempt.Number] = []

    /// How many there are.
    var count: Int { attempts.count }
    /// All of them, in no order.
    var all: [Attempt.Number: RunningAttempt].Values { attempts.values }
    /// Whether a later occurrence could take the place of one.
    var hasReplaceable: Bool { all.contains { $0.delivery.claim.overlap == .replace } }

    /// Records that an attempt began, and returns its number.
    mutating func begin(_ attempt: RunningAttempt) -> Attempt.Number {
        last += 1
        attempts[last] = attempt
        return last
    }

    /// Records that an attempt ended, and returns it; nil if it was forgotten.
    mutating func end(_ number: Attempt.Number) -> RunningAttempt? {
        discarded.remove(number)
        return attempts.removeValue(forKey: number)
    }

    /// Whether the attempt before a delivery in its order was discarded and has not ended yet: for the store it has.
    func holdUp(_ delivery: Delivery) -> Bool {
        guard !discarded.isEmpty, delivery.claim.overlap != .allow else { return false }
        return discarded.contains { number in
            guard let former = attempts[number]?.delivery else { return false }
            return former.definition == delivery.definition && former.sink == delivery.sink
        }
    }

    /// The store will not have these claims tried again.
    mutating func withdraw(_ tokens: Set<String>) {
        for (number, attempt) in attempts where tokens.contains(attempt.delivery.claim.token) {
            attempts[number]?.isWithdrawn = true
        }
    }

    /// A person discarded these.
    mutating func discard(_ ids: Set<DeliveryID>) {
        for (number, attempt) in attempts where ids.contains(attempt.delivery.id) { discard(number) }
    }

    /// The store has taken all claims away but these.
    mutating func lose(except held: Set<String>) {
        for (number, attempt) in attempts
        where attempt.override != .discarded && !held.contains(attempt.delivery.claim.token) {
            discard(number)
        }
    }

    private mutating func discard(_ number: Attempt.Number) {
        attempts[number]?.override = .discarded
        discarded.insert(number)
        cancelled.append(number)
    }

    /// A later occurrence takes the place of this claim. Returns whether it runs.
    mutating func replace(_ token: String) -> Bool {
        guard let number = attempts.first(where: { $0.value.delivery.claim.token == token })?.key else { return false }
        attempts[number]?.override = .replaced
        cancelled.append(number)
        return true
    }

    /// The daemon stops: all of them are cancelled.
    mutating func interrupt() {
        for (number, attempt) in attempts where attempt.override == nil { attempts[number]?.override = .interrupted }
        cancelled += attempts.keys
    }

    /// Forgets all of them, and returns them.
    mutating func abandon() -> [RunningAttempt] {
        defer { attempts = [:] }
        return Array(all)
    }

    /// Those to cancel since it was asked last.
    mutating func takeCancelled() -> [Attempt.Number] {
        defer { cancelled = [] }
        return cancelled
    }
}
