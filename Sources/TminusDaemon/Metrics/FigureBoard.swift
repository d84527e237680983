internal import Synchronization
internal import TminusCore

/// The figures of the services, as they were handed over last, for `/metrics`. Nothing acts on them.
final class FigureBoard: Sendable {
    private struct State {
        var engine = EngineFigures()
        var loads = Histogram.duration
        var standing: DeliveryStanding?
        var isReadingStanding = false
    }

    /// What the store counts.
    let store: StoreFigures
    /// The lines of the log.
    let log: LogFigures
    /// The clock that the machines of a fleet share; nil if this daemon goes by its own.
    let fleetClock: FleetClock?
    private let state = Mutex(State())

    /// Figures of a daemon that starts.
    init(store: StoreFigures = StoreFigures(), log: LogFigures = LogFigures(), fleetClock: FleetClock? = nil) {
        (self.store, self.log, self.fleetClock) = (store, log, fleetClock)
    }

    /// What the engine has counted.
    var engine: EngineFigures { state.withLock(\.engine) }
    /// How long loads of the directory took.
    var loads: Histogram { state.withLock(\.loads) }
    /// The undelivered part of the outbox, as last read; nil if it was never read.
    var standing: DeliveryStanding? { state.withLock(\.standing) }

    /// Takes what the engine has counted.
    func handOver(_ figures: EngineFigures) { state.withLock { $0.engine = figures } }

    /// A load took that long.
    func loaded(in time: Duration) { state.withLock { $0.loads.observe(time) } }

    /// Reads the undelivered part of the outbox. A store that does not answer within `limit` leaves it as it was.
    func readStanding(of store: any Store, within limit: Duration) async {
        let isFree = state.withLock { state in
            defer { state.isReadingStanding = true }
            return !state.isReadingStanding
        }
        guard isFree else { return }
        let reading = Task {
            let standing = try? await store.standing()
            state.withLock { state in
                state.isReadingStanding = false
                if let standing { state.standing = standing }
            }
        }
        await reading.end(within: limit)
    }
}
