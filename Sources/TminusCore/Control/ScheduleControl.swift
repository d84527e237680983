/// A definition in force with its state, at one moment.
///
/// Its content is behind one reference, so a copy of ten thousand entries is a small array.
package struct ScheduleEntry: Sendable {
    private let held: Held

    private final class Held: Sendable {
        let row: ScheduleRow

        init(_ row: ScheduleRow) { self.row = row }
    }

    /// Creates an entry.
    package init(definition: Definition, state: ScheduleState) {
        self.init(ScheduleRow(definition, state))
    }

    init(_ row: ScheduleRow) {
        held = Held(row)
    }

    /// The row of the schedule.
    var row: ScheduleRow { held.row }
    /// The definition.
    package var definition: Definition { row.definition }
    /// Its progress and its overrides.
    package var state: ScheduleState { row.state }
}

extension ScheduleEntry: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.held === right.held || left.definition == right.definition && left.state == right.state
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(definition.id)
        hasher.combine(state)
    }
}

/// Reads and controls the schedule.
package protocol ScheduleControl: Sendable {
    /// A part of the entries in force, in no particular order. A definition that stays in force while all pages are read is
    /// in exactly one of them.
    ///
    /// - Parameters:
    ///   - start: 0 for the first page, then ``SchedulePage/next`` of the page before.
    ///   - limit: The most entries of the page.
    func page(from start: UInt32, limit: Int) async -> SchedulePage

    /// The entry with the given id.
    func entry(_ id: DefinitionID) async -> ScheduleEntry?

    /// Applies a control; returns when the store has written it.
    func perform(_ request: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry

    /// Applies a control to all definitions; returns the affected entries when the store has written them.
    func perform(_ control: GeneralControl) async throws(ControlRefusal) -> [ScheduleEntry]

    /// Sends a firing now. Returns when the store has written it or, with `waits`, when each of its deliveries was
    /// attempted.
    ///
    /// - Returns: The outcomes. A delivery has none if its attempt has not ended after the longest time limit of the
    ///   sinks plus ``Firing/waitMargin``, or after ``Firing/longestWait``.
    func fire(_ firing: Firing, waits: Bool) async throws(ControlRefusal) -> [DeliveryID: Outcome]

    /// The mute of all definitions, possibly over already; nil if there is none.
    func generalMute() async -> Overrides.Mute?

    /// The titles of sinks, without those that are not in force.
    func sinkTitles(_ keys: [SinkKey]) async -> [SinkKey: String]

    /// What the sinks of these deliveries would send, without those that are not in force.
    func drafts(of deliveries: [Delivery]) async -> [DeliveryID: DeliveryDraft]

    /// The ids whose definition or state changed, in batches, starting with the call. Nil replaces batches that were
    /// dropped because the reader was slow: then anything may have changed.
    func changes() -> AsyncStream<Set<DefinitionID>?>
}

/// A part of the entries in force.
package struct SchedulePage: Sendable {
    /// The largest number of entries in a page. The engine's thread makes them.
    package static let size = 5_000

    /// The entries.
    package var entries: [ScheduleEntry] = []
    /// Where the next page begins; nil after the last one.
    package var next: UInt32?

    /// A page.
    package init(entries: [ScheduleEntry] = [], next: UInt32? = nil) {
        self.entries = entries
        self.next = next
    }
}

extension ScheduleControl {
    /// The ids of all definitions in force.
    package func ids() async -> [DefinitionID] {
        var ids: [DefinitionID] = []
        await forEachPage { ids += $0.lazy.map(\.definition.id) }
        return ids
    }

    /// Calls `body` with all entries in force, a page at a time: a million of them are never in memory at once.
    package func forEachPage(_ body: ([ScheduleEntry]) -> Void) async {
        var start: UInt32? = 0
        while let place = start {
            let page = await page(from: place, limit: SchedulePage.size)
            body(page.entries)
            start = page.next
        }
    }
}
