/// The rule that yields the occurrences of an event.
public enum Trigger: Sendable, Hashable {
    /// These instants, ascending and without duplicates.
    case at([Timestamp])

    /// The first occurrence strictly after `instant`; nil if there is none.
    public func next(after instant: Timestamp) -> Timestamp? {
        switch self {
        case .at(let instants):
            var low = 0
            var high = instants.count
            while low < high {
                let middle = (low + high) / 2
                if instants[middle] <= instant { low = middle + 1 } else { high = middle }
            }
            return low < instants.count ? instants[low] : nil
        }
    }

    /// A text that is the same for the same rule and different for another.
    package var canonicalText: String {
        switch self {
        case .at(let instants): "at " + instants.map { String($0.nanoseconds) }.joined(separator: ",")
        }
    }
}
