import FoundationEssentials
import TminusCore

/// Claims deliveries in one transaction, up to the limits of a request: waiting ones, and those that ``FiringWriter``
/// writes.
final class ClaimWriter {
    /// A pending delivery that is due.
    private struct Candidate {
        let next: Int64
        let number: Int64
        let sink: SinkKey
    }

    /// The result of reading a pending delivery.
    private enum Found {
        /// `isSuspect` means that one more interrupted attempt makes the delivery dead.
        case readable(Delivery, isSuspect: Bool)
        case unreadable(DeliveryID?, reason: String)
    }

    /// The limits of the claims.
    let request: ClaimRequest
    /// Deliveries that are dead because they cannot be read.
    private(set) var unreadable: [DeliveryID] = []
    private let transaction: Transaction
    private let now: Timestamp
    private let tokens = ClaimTokens()
    /// How many more deliveries can be claimed.
    private var left: Int
    /// How many more deliveries can be claimed for each sink.
    private var room: [SinkKey: Int] = [:]
    /// The specs of the sinks that were read; nil for one that is not stored, or is unreadable.
    private var specs: [SinkKey: SinkSpec?] = [:]
    /// Candidates that already have a reservation.
    private var reserved: [Candidate] = []
    private var waiting: [Delivery] = []
    private var written: [Delivery] = []
    /// The decoded payloads of firings; nil for an unreadable one.
    private var payloads: [Int64: Payload?] = [:]

    /// A writer that has not claimed anything yet.
    init(_ request: ClaimRequest, _ transaction: Transaction, now: Timestamp) {
        self.request = request
        self.transaction = transaction
        self.now = now
        left = max(0, request.limit)
    }

    /// All claimed deliveries; those that waited come first.
    var claimed: [Delivery] { waiting + written }

    /// Reserves capacity for the deliveries that are due now, because they go before those that are written next.
    func reserveForWaiting() throws {
        reserved = try candidates()
        for candidate in reserved { take(candidate.sink) }
    }

    /// Reserves capacity for a delivery to be written, and returns the token of its claim; nil if there is no capacity.
    func reserve(_ number: Int64, of firing: Int64, to sink: SinkKey) throws -> String? {
        guard left > 0, try room(of: sink) > 0 else { return nil }
        take(sink)
        return tokens.token(number, firing: firing)
    }

    /// Returns the capacity reserved for one delivery.
    func giveBack(_ sink: SinkKey) {
        left += 1
        room[sink, default: 0] += 1
    }

    /// Adds a delivery that was written as claimed.
    func claimed(_ firing: Firing, to target: Firing.Target, _ token: String) {
        var delivery = Delivery(firing, to: target)
        delivery.claim = Delivery.Claim(
            token: token, since: now, expires: firing.expires, overlap: target.overlap, onFailure: firing.onFailure)
        written.append(delivery)
    }

    /// Claims due pending deliveries: those with a reservation, then the oldest ones of each sink with capacity.
    func claimWaiting(_ endings: inout Endings) throws {
        _ = try claim(reserved, &endings)
        reserved = []
        var isComplete = false
        while !isComplete {
            let found = try candidates()
            for candidate in found { take(candidate.sink) }
            isComplete = try claim(found, &endings)
        }
    }

    /// The specs of the claimed sinks that the request does not name; for a follower, of all claimed sinks.
    func claimedSpecs() throws -> [SinkSpec] {
        var sinks = Set(claimed.lazy.map(\.sink))
        if !request.isFollower { sinks.subtract(request.room.keys) }
        return try sinks.sorted().compactMap { try spec(of: $0) }
    }

    private func spec(of sink: SinkKey) throws -> SinkSpec? {
        if let known = specs[sink] { return known }
        let text = try transaction.text(SinkStatements.spec, sink.rawValue)
        let spec = text.flatMap { SinkSpec(stored: $0) }
        specs[sink] = .some(spec)
        return spec
    }

    private func take(_ sink: SinkKey) {
        left -= 1
        room[sink, default: 0] -= 1
    }

    private func room(of sink: SinkKey) throws -> Int {
        if let known = room[sink] { return known }
        let found = try mayClaim(sink) ? request.room[sink] ?? request.otherRoom : 0
        room[sink] = found
        return found
    }

    private func mayClaim(_ sink: SinkKey) throws -> Bool {
        guard request.room[sink] != 0 else { return false }
        if request.isFollower {
            return try spec(of: sink)?.runs(on: request.labels, leads: false) ?? false
        }
        // Most sinks have no row.
        let row = try transaction.first(SinkStatements.restriction, sink.rawValue, request.removedBefore) { row in
            (isAwaited: try row.number(0) != 0, spec: try row.optionalText(1).flatMap { SinkSpec(stored: $0) })
        }
        guard let row else { return true }
        return !row.isAwaited && row.spec?.runs(on: request.labels, leads: true) ?? true
    }

    /// The due deliveries for which there is capacity, oldest first.
    private func candidates() throws -> [Candidate] {
        guard left > 0 else { return [] }
        var sinks: [(key: SinkKey, room: Int)] = []
        for sink in try transaction.runner.waitingSinks() {
            let key = SinkKey(sink)
            let room = min(try room(of: key), left)
            if room > 0 { sinks.append((key, room)) }
        }
        var found: [Candidate] = []
        let limits = sinks.map { parameters($0.key.rawValue, now, $0.room) }
        try transaction.runner.forEach(DeliveryStatements.due, limits) { index, row in
            found.append(
                Candidate(next: try row.number(0), number: try row.number(1), sink: sinks[index].key))
        }
        found.sort { ($0.next, $0.number) < ($1.next, $1.number) }
        return Array(found.prefix(left))
    }

    /// Reads deliveries; nil for one that is no longer pending.
    private func find(_ candidates: [Candidate]) throws -> [Found?] {
        var found = [Found?](repeating: nil, count: candidates.count)
        let numbers = candidates.map { [Parameter.number($0.number)] }
        try transaction.runner.forEach(DeliveryStatements.read, numbers) { index, row in
            found[index] = try self.found(row, candidates[index].number)
        }
        return found
    }

    private func found(_ row: StoredRow, _ number: Int64) throws -> Found {
        let (id, firing) = (DeliveryID(try row.text(0)), try row.number(7))
        guard let id, let definition = DefinitionID(try row.text(8)),
            let kind = FiringAction.Kind(rawValue: try row.text(10))
        else { return .unreadable(id, reason: FixedReason.unreadableFiring.rawValue) }
        let payload = try payloads[firing] ?? PayloadText.decode(try row.text(12))
        payloads[firing] = .some(payload)
        guard let payload else { return .unreadable(id, reason: FixedReason.unreadablePayload.rawValue) }
        var delivery = Delivery(
            id: id, definition: definition, occurrence: try row.instant(9), action: kind,
            sink: SinkKey(try row.text(1)), due: try row.instant(11),
            attempt: try row.exactCount(2) + 1, source: "", payload: payload)
        delivery.claim = Delivery.Claim(
            token: tokens.token(number, firing: firing), tries: try row.exactCount(3) + 1,
            since: try row.instant(4), expires: try row.optionalInstant(5),
            overlap: try row.word(6, Overlap.self), onFailure: keys(try row.optionalText(13)))
        return .readable(delivery, isSuspect: try row.count(14) >= InterruptedAttempts.limit - 1)
    }

    /// Decodes keys of sinks that ``FiringWriter`` encoded; an empty list if they cannot be read.
    private func keys(_ text: String?) -> [SinkKey] {
        guard let text else { return [] }
        return ((try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []).map { SinkKey($0) }
    }

    /// Whether a suspect of the sink is claimed. Of each sink only one suspect is attempted at a time, so that the next
    /// end of the process shows which of them causes it.
    private func hasClaimedSuspect(_ sink: SinkKey) throws -> Bool {
        try transaction.number(
            DeliveryStatements.claimedOfInterrupted, sink.rawValue, InterruptedAttempts.limit - 1) != nil
    }

    /// Claims candidates for which there is capacity. Returns false if one is dead, so that another one can be
    /// claimed.
    private func claim(_ candidates: [Candidate], _ endings: inout Endings) throws -> Bool {
        var isComplete = true
        for (candidate, found) in zip(candidates, try find(candidates)) {
            switch found {
            case .readable(_, isSuspect: true) where try hasClaimedSuspect(candidate.sink): giveBack(candidate.sink)
            case .readable(let delivery, _):
                try transaction.runner.post(
                    DeliveryStatements.claim,
                    [
                        .instant(now), .text(delivery.claim.token), .text(request.owner), .instant(request.until),
                        .number(candidate.number),
                    ])
                waiting.append(delivery)
            case .unreadable(let id, let reason):
                giveBack(candidate.sink)
                // Without this, a row that an index names and no statement changes would be tried for ever.
                if try giveUp(candidate.number, reason, &endings) { isComplete = false }
                if let id { unreadable.append(id) }
            case nil: giveBack(candidate.sink)
            }
        }
        try transaction.promote(&endings)
        return isComplete
    }

    private func giveUp(_ number: Int64, _ reason: String, _ endings: inout Endings) throws -> Bool {
        let hasEnded = try transaction.endWaiting(number, as: .dead, reason, at: now)
        try transaction.forEach(DeliveryStatements.place, number) { row in
            endings.firings.append(try row.number(0))
            endings.chains.insert(Chain(definition: try row.text(1), sink: try row.text(2)))
        }
        return hasEnded
    }
}

extension Transaction {
    /// The earliest instant after `instant` at which a pending delivery becomes due.
    func nextAttempt(after instant: Timestamp) throws -> Timestamp? {
        let sinks = try runner.waitingSinks().map { parameters($0, instant) }
        var earliest: Timestamp?
        try runner.forEach(DeliveryStatements.firstAttempt, sinks) { _, row in
            let next = try row.instant(0)
            earliest = min(earliest ?? next, next)
        }
        return earliest
    }

    /// An owner's claims, and the tokens of those among them that are withdrawn.
    func heldClaims(owner: String) throws -> (all: [HeldClaim], withdrawn: [String]) {
        var (all, withdrawn): ([HeldClaim], [String]) = ([], [])
        try forEach(DeliveryStatements.heldByOwner, owner) { row in
            let token = try row.text(0)
            guard let id = DeliveryID(try row.text(2)), let definition = DefinitionID(try row.text(3)) else { return }
            all.append(HeldClaim(token: token, delivery: id, definition: definition))
            if try row.optionalText(1) != nil { withdrawn.append(token) }
        }
        return (all, withdrawn)
    }

    /// The tokens of an owner's claims that a later occurrence will replace.
    func replacedClaims(owner: String) throws -> [String] {
        var tokens: [String] = []
        try forEach(DeliveryStatements.replaced, owner) { row in tokens.append(try row.text(0)) }
        return tokens
    }
}
