/// A control of a person, with what became of it.
struct Order {
    var wish: Wish
    /// When it was asked, in steady time.
    var from: Nanoseconds
    /// When it was answered; far in the future if it never was.
    var to: Nanoseconds = .max
    /// Whether it was done; nil if the answer is not known, because the process ended before.
    var isDone: Bool?

    /// The controls of a history, in the order in which they were asked.
    static func all(_ history: [Record]) -> [Order] {
        var orders: [Order] = []
        var places: [Int: Int] = [:]
        for record in history {
            switch record.event {
            case .asked(let ticket, let wish):
                places[ticket] = orders.count
                orders.append(Order(wish: wish, from: record.steady))
            case .answered(let ticket, let isDone):
                guard let place = places[ticket] else { continue }
                (orders[place].to, orders[place].isDone) = (record.steady, isDone)
            default: break
            }
        }
        return orders
    }

    /// Whether it may have changed anything, for this definition.
    func mayConcern(_ id: String) -> Bool { isDone != false && (wish.definition == nil || wish.definition == id) }
}

/// A delivery as its sink saw it: one attempt, with what became of it.
struct Seen {
    var attempt: Handover
    var begun: Nanoseconds
    /// What the clock showed then.
    var wall: Nanoseconds
    /// When the receiver took it; nil if it did not.
    var taken: Nanoseconds?
    /// When the program learned of its end; nil if it never did.
    var ended: Nanoseconds?
    var verdict: Verdict?

    var key: Due.Key {
        Due.Key(
            definition: attempt.definition, occurrence: attempt.occurrence, action: attempt.action, due: attempt.due)
    }

    /// The attempts of a history, in the order in which they began.
    static func all(_ history: [Record]) -> [Seen] {
        var seen: [Seen] = []
        var places: [Int: Int] = [:]
        /// The attempts that go on although another process may make them, too.
        var released: Set<Int> = []
        for record in history {
            switch record.event {
            case .received(let attempt):
                places[attempt.number] = seen.count
                seen.append(Seen(attempt: attempt, begun: record.steady, wall: record.wall))
            case .taken(let number): if let place = places[number] { seen[place].taken = record.steady }
            case .told(let number, let verdict):
                guard let place = places[number], !released.contains(number) else { continue }
                (seen[place].ended, seen[place].verdict) = (record.steady, verdict)
            case .claimsReleased(let process):
                for (number, place) in places where seen[place].attempt.process == process && seen[place].ended == nil {
                    seen[place].ended = record.steady
                    released.insert(number)
                }
            case .crashed(let process), .followerGone(let process):
                // Whatever still ran has ended with the process, and nobody was told.
                for (number, place) in places where seen[place].attempt.process == process {
                    if seen[place].ended == nil { seen[place].ended = record.steady }
                    places[number] = nil
                }
            default: break
            }
        }
        return seen
    }
}
