/// Everything that one turn of the engine decided, for ``Store/commit(_:now:)``. The parts are applied in this order.
public struct Commit: Sendable, Equatable {
    /// By how much the wall clock was set while deliveries waited: what they wait for moves along.
    public var clockStep: Duration
    /// All sinks in force, when they changed.
    public var sinks: [SinkSpec]?
    /// How claimed attempts ended.
    public var settlements: [Settlement]
    /// The schedules that changed, whole.
    public var schedules: [ScheduleState]
    /// What came due; one delivery for each sink of each.
    public var firings: [Firing]
    /// What was due and will not be sent.
    public var omissions: [Omission]
    /// The change of the general mute.
    public var mute: GeneralMute?
    /// Undelivered actions that are not to be sent any more, what this commit writes among them.
    public var withdrawals: [Withdrawal]
    /// What to claim, of what waited and of what this commit writes; nil: nothing.
    public var claim: ClaimRequest?

    /// A commit; whatever is left out is empty.
    public init(
        clockStep: Duration = .zero, sinks: [SinkSpec]? = nil, settlements: [Settlement] = [],
        schedules: [ScheduleState] = [], firings: [Firing] = [], omissions: [Omission] = [], mute: GeneralMute? = nil,
        withdrawals: [Withdrawal] = [], claim: ClaimRequest? = nil
    ) {
        self.clockStep = clockStep
        self.sinks = sinks
        self.settlements = settlements
        self.schedules = schedules
        self.firings = firings
        self.omissions = omissions
        self.mute = mute
        self.withdrawals = withdrawals
        self.claim = claim
    }

    /// Whether the commit writes something that must survive a power cut. Settlements and claims alone need not: what is lost of
    /// them repeats a delivery with the same id.
    public var isDurable: Bool {
        sinks != nil || mute != nil || !schedules.isEmpty || !firings.isEmpty || !omissions.isEmpty
            || !withdrawals.isEmpty
    }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { !isDurable && clockStep == .zero && settlements.isEmpty && claim == nil }
}

/// What followed from a ``Commit``.
public struct Committed: Sendable, Equatable {
    /// The deliveries that were claimed, the longest overdue first.
    public var claimed: [Delivery]
    /// The specs of the sinks of claimed deliveries that the request did not name, as far as they can be read.
    public var sinks: [SinkSpec]
    /// The expiries whose last open delivery ended by this commit, of those that a schedule waits for: it is in phase `acting`, and
    /// its deadline is that occurrence.
    public var endedExpiries: [EndedExpiry]
    /// The tokens of the caller's claims that are to give way to a later occurrence (``Overlap/replace``).
    public var replaced: [String]
    /// The tokens of the caller's claims that a withdrawal of this commit covers. Their attempts may end, and are not repeated.
    public var withdrawn: [String]
    /// The earliest instant after `now` at which a waiting delivery becomes due for an attempt; nil if there is none, and
    /// without a claim.
    public var nextAttempt: Timestamp?
    /// Deliveries that were given up because what is stored of them cannot be read.
    public var unreadable: [DeliveryID]

    /// What followed; whatever is left out is empty.
    public init(
        claimed: [Delivery] = [], sinks: [SinkSpec] = [], endedExpiries: [EndedExpiry] = [], replaced: [String] = [],
        withdrawn: [String] = [], nextAttempt: Timestamp? = nil, unreadable: [DeliveryID] = []
    ) {
        self.claimed = claimed
        self.sinks = sinks
        self.endedExpiries = endedExpiries
        self.replaced = replaced
        self.withdrawn = withdrawn
        self.nextAttempt = nextAttempt
        self.unreadable = unreadable
    }
}

/// How much may be claimed, and by whom.
public struct ClaimRequest: Sendable, Hashable {
    /// The owner of the claims; names the process.
    public var owner: String
    /// How many at the most; with 0 nothing is claimed, and ``Committed/replaced`` is still found.
    public var limit: Int
    /// How many more each sink may take; a sink that is not named may take `otherRoom`.
    public var room: [SinkKey: Int]
    /// How many a sink may take that is not named in `room`.
    public var otherRoom: Int
    /// When the claims end.
    public var until: Timestamp
    /// Deliveries to a named sink that is not in force any more wait. Those whose sink was removed before this instant are handed
    /// out without a spec in ``Committed/sinks``, to be given up.
    public var removedBefore: Timestamp

    /// A request for up to `limit` deliveries.
    public init(
        owner: String, limit: Int, room: [SinkKey: Int] = [:], otherRoom: Int, until: Timestamp,
        removedBefore: Timestamp = .distantPast
    ) {
        self.owner = owner
        self.limit = limit
        self.room = room
        self.otherRoom = otherRoom
        self.until = until
        self.removedBefore = removedBefore
    }
}

/// How one claimed delivery ended, or when it is attempted again.
public struct Settlement: Sendable, Hashable {
    /// The claim.
    public var token: String
    /// The delivery.
    public var id: DeliveryID
    /// How it ended.
    public var outcome: Outcome
    /// What the sink reported; nil if no attempt was made, and then it does not count as one.
    public var report: DeliveryReport?
    /// When it ended; nil: when it is settled.
    public var ended: Timestamp?
    /// What is to be told because of it.
    public var firings: [Firing]

    /// The end of one claim.
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

/// A change of the general mute, which also covers what is added while it lasts.
public enum GeneralMute: Sendable, Hashable {
    /// Everything is muted.
    case until(Overrides.Mute)
    /// The mute was taken back.
    case over
}
