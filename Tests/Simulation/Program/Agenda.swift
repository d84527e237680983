import SimulationChecker
import TminusCore

/// What is to happen at a known moment of steady time.
enum Appointment {
    /// The happening of the plan with that index.
    case happening(Int)
    /// The process starts.
    case start
    case tidy
    /// The store performs the commit of the process with that number, which was on its way, and answers it.
    case write(Commit, run: Int)
    case written(Result<Committed, StoreError>, run: Int)
    case taken(Attempt.Number, run: Int)
    case told(Attempt.Number, run: Int)
    /// The time for the running attempts of a process that stops is over.
    case giveUp(run: Int)
    case abandon(run: Int)
    case moodOver(Int)
    case mannerOver(String, Int)
    /// A follower starts.
    case follow(place: Int)
    /// A follower learns that there may be something to claim.
    case wakeFollower(run: Int)
    /// A follower is in the middle of an attempt in which something is to happen to it.
    case attemptFault(AttemptFault, run: Int)
    /// A follower reaches the store again.
    case reconnect(run: Int)
    /// The leader looks at what its followers have done.
    case look
}

/// The appointments in the order of their times; those of one time in the order in which they were made.
struct Agenda {
    private var entries: [(at: Nanoseconds, number: Int, what: Appointment)] = []
    private var count = 0

    /// When the next one is.
    var next: Nanoseconds? { entries.last?.at }

    mutating func add(_ at: Nanoseconds, _ what: Appointment) {
        count += 1
        // The earliest is the last, so that it is taken without moving the others.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at > at { low = middle + 1 } else { high = middle }
        }
        entries.insert((at, count, what), at: low)
    }

    mutating func takeNext() -> Appointment? { entries.popLast()?.what }
}
