/// Everything that one turn of the engine decided, for ``Store/commit(_:now:)``. The store applies the parts in this
/// order.
public struct Commit: Sendable, Equatable {
    /// By how much the wall clock was set: the instants that deliveries wait for move by this time.
    public var clockStep: Duration
    /// All sinks in force; nil if they have not changed.
    public var sinks: [SinkSpec]?
    /// How claimed attempts ended.
    public var settlements: [Settlement]
    /// The schedules that changed, complete.
    public var schedules: [ScheduleState]
    /// The firings that came due. Each has one delivery per sink.
    public var firings: [Firing]
    /// The firings that were due and will not be sent.
    public var omissions: [Omission]
    /// The controls that users applied, for the history.
    public var controls: [ControlRecord]
    /// The change of the general mute; nil if there is none.
    public var mute: GeneralMute?
    /// Undelivered actions to withdraw, including those that this commit writes.
    public var withdrawals: [Withdrawal]
    /// What to claim, including deliveries that this commit writes; nil for nothing.
    public var claim: ClaimRequest?

    /// A commit; omitted parts are empty.
    public init(
        clockStep: Duration = .zero, sinks: [SinkSpec]? = nil, settlements: [Settlement] = [],
        schedules: [ScheduleState] = [], firings: [Firing] = [], omissions: [Omission] = [],
        controls: [ControlRecord] = [],
        mute: GeneralMute? = nil, withdrawals: [Withdrawal] = [], claim: ClaimRequest? = nil
    ) {
        self.clockStep = clockStep
        self.sinks = sinks
        self.settlements = settlements
        self.schedules = schedules
        self.firings = firings
        self.omissions = omissions
        self.controls = controls
        self.mute = mute
        self.withdrawals = withdrawals
        self.claim = claim
    }

    /// Whether the commit must survive a power cut. Settlements and claims alone need not: if they are lost, deliveries
    /// are repeated with the same id.
    public var isDurable: Bool {
        sinks != nil || mute != nil || !schedules.isEmpty || !firings.isEmpty || !omissions.isEmpty
            || !withdrawals.isEmpty || !controls.isEmpty
    }

    /// Whether the commit has no effect.
    public var isEmpty: Bool { !isDurable && clockStep == .zero && settlements.isEmpty && claim == nil }
}

/// The result of a ``Commit``.
public struct Committed: Sendable, Equatable {
    /// The claimed deliveries, the longest overdue first.
    public var claimed: [Delivery]
    /// The readable specs of the sinks of claimed deliveries, for sinks that the request did not name.
    public var sinks: [SinkSpec]
    /// The expiries whose last open delivery ended with this commit and that a schedule waits for. Such a schedule is
    /// in phase `acting`, and its deadline is the occurrence of the expiry.
    public var endedExpiries: [EndedExpiry]
    /// The tokens of the caller's claims that a later occurrence replaces (``Overlap/replace``).
    public var replaced: [String]
    /// The tokens of the caller's claims that this commit withdraws; for a follower, all that are withdrawn so far. Their attempts may end, and
    /// are not repeated.
    public var withdrawn: [String]
    /// All claims that the caller held before this commit claimed what waits; nil unless it asks. The others that it has in hand are void:
    /// a person discarded them, or the leader released them. One that it does not have in hand was settled, and a crash of the database lost
    /// that.
    public var held: [HeldClaim]?
    /// The earliest instant after `now` at which a waiting delivery becomes due for an attempt. Nil if there is none,
    /// or if the commit has no claim request.
    public var nextAttempt: Timestamp?
    /// Deliveries that are dead because their stored form cannot be read.
    public var unreadable: [DeliveryID]
    /// Rows that stood in the way of the commit and were moved out of it, because they cannot be read.
    public var setAside: [DamagedRow] = []

    /// A result; omitted parts are empty.
    public init(
        claimed: [Delivery] = [], sinks: [SinkSpec] = [], endedExpiries: [EndedExpiry] = [], replaced: [String] = [],
        withdrawn: [String] = [], held: [HeldClaim]? = nil, nextAttempt: Timestamp? = nil, unreadable: [DeliveryID] = []
    ) {
        self.claimed = claimed
        self.sinks = sinks
        self.endedExpiries = endedExpiries
        self.replaced = replaced
        self.withdrawn = withdrawn
        self.held = held
        self.nextAttempt = nextAttempt
        self.unreadable = unreadable
    }
}

/// A claim as the store has it.
public struct HeldClaim: Sendable, Hashable {
    /// The token.
    public var token: String
    /// The delivery.
    public var delivery: DeliveryID
    /// Its definition.
    public var definition: DefinitionID

    /// The claim of a delivery.
    public init(token: String, delivery: DeliveryID, definition: DefinitionID) {
        self.token = token
        self.delivery = delivery
        self.definition = definition
    }
}

/// A request to claim deliveries.
public struct ClaimRequest: Sendable, Hashable {
    /// The owner of the claims: the name of the process.
    public var owner: String
    /// The most deliveries to claim. With 0 nothing is claimed, but ``Committed/replaced`` is still determined.
    public var limit: Int
    /// How many more deliveries each sink can take. For a sink that is not listed, `otherRoom` applies.
    public var room: [SinkKey: Int]
    /// How many deliveries a sink can take that is not listed in `room`.
    public var otherRoom: Int
    /// When the claims end.
    public var until: Timestamp
    /// Deliveries to a named sink that is no longer in force wait. If the sink was removed before this instant, they
    /// are claimed without a spec in ``Committed/sinks``, and the engine gives them up.
    public var removedBefore: Timestamp
    /// Whether it comes from a machine that does not lead. It gets only deliveries to sinks that may run there
    /// (``SinkSpec/runs(on:leads:)``), the present spec of each of these sinks, and ``Committed/held``.
    public var isFollower: Bool
    /// The labels of the machine. It gets no delivery to a sink that asks for others (``SinkSpec/runs(on:leads:)``).
    public var labels: Set<MachineLabel>
    /// Whether it asks for ``Committed/held``. A follower always does.
    public var asksForHeld = false

    /// A request for up to `limit` deliveries.
    public init(
        owner: String, limit: Int, room: [SinkKey: Int] = [:], otherRoom: Int, until: Timestamp,
        removedBefore: Timestamp = .distantPast, isFollower: Bool = false, labels: Set<MachineLabel> = []
    ) {
        self.owner = owner
        self.limit = limit
        self.room = room
        self.otherRoom = otherRoom
        self.until = until
        self.removedBefore = removedBefore
        self.isFollower = isFollower
        self.labels = labels
    }
}

/// The outcome of one claimed delivery: how it ended, or when it is attempted again.
public struct Settlement: Sendable, Hashable {
    /// The token of the claim.
    public var token: String
    /// The id of the delivery.
    public var id: DeliveryID
    /// How it ended.
    public var outcome: Outcome
    /// What the sink reported; nil if no attempt was made. Then the settlement does not count as an attempt.
    public var report: DeliveryReport?
    /// When the attempt ended; nil for the time of the settlement.
    public var ended: Timestamp?
    /// The firings that the outcome causes, such as a notice of failure.
    public var firings: [Firing]

    /// A settlement of one claim.
    public init(
        token: String, id: DeliveryID, outcome: Outcome, report: DeliveryReport? = .empty, ended: Timestamp? = nil,
        firings: [Firing] = []
    ) {
        self.token = token
        self.id = id
        self.outcome = outcome
        self.report = report
        self.ended = ended
        self.firings = firings
    }
}

/// A change of the general mute, which also covers definitions added while it lasts.
public enum GeneralMute: Sendable, Hashable {
    /// Everything is muted.
    case until(Overrides.Mute)
    /// The mute was cancelled.
    case over
}
