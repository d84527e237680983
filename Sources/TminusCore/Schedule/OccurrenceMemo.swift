/// Caches the occurrences that a trigger finds, because the walks of many lead times search for the same ones.
///
/// A search of a sparse rule may take milliseconds, and a definition may have a thousand lead times.
final class OccurrenceMemo {
    private let trigger: Trigger
    /// The found occurrences, ascending; ``Timestamp/distantFuture`` means none.
    private var found: [Timestamp] = []
    /// For each of them, the earliest instant after which it was found.
    private var starts: [Timestamp] = []
    /// The number of searches that were made.
    private(set) var searches = 0

    /// Beyond this number, the rule is so dense that its searches are cheap.
    private static let limit = 4_096

    /// A memo of that trigger without searches.
    init(_ trigger: Trigger) {
        self.trigger = trigger
    }

    /// The first occurrence after an instant; nil if there is none.
    func next(after instant: Timestamp) -> Timestamp? {
        let index = found.count(upTo: instant)
        if index < found.count, starts[index] <= instant { return Self.occurrence(found[index]) }
        searches += 1
        let next = trigger.next(after: instant) ?? .distantFuture
        if index < found.count, found[index] == next {
            starts[index] = instant
        } else if found.count < Self.limit {
            found.insert(next, at: index)
            starts.insert(instant, at: index)
        }
        return Self.occurrence(next)
    }

    private static func occurrence(_ instant: Timestamp) -> Timestamp? { instant == .distantFuture ? nil : instant }
}
