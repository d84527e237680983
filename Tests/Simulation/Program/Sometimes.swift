/// How often each rare thing happened. A run of many seeds in which one never happened has not tested what it claims.
struct Sometimes {
    /// What has to happen.
    enum Event: String, CaseIterable {
        case crashBeforeCommit = "crash before a commit"
        case crashInCommit = "crash in a commit"
        case crashAfterCommit = "crash after a commit, before its answer"
        case crashBeforeBegin = "crash between a claim and its attempt"
        case crashInAttempt = "crash during an attempt"
        case crashBeforeAnswer = "crash before an answer to a person"
        case writesLost = "power cut, with writes lost"
        case orderlyStop = "stop in order"
        case attemptAbandoned = "attempt abandoned at a stop"
        case startRefused = "start refused by the store"
        case storeRefused = "commit refused"
        case storeUncertain = "commit uncertain, written"
        case storeUncertainUnwritten = "commit uncertain, not written"
        case storeSlow = "commit slow"
        case clockForward = "clock set forward"
        case clockBack = "clock set back by up to 3 h"
        case clockFarBack = "clock set back by more"
        case clockSetWhileDown = "clock set while no process runs"
        case sleep = "sleep"
        case added = "definition added"
        case changed = "definition changed"
        case removed = "definition removed"
        case restored = "definition restored"
        case broken = "file broken"
        case mended = "file mended"
        case startBroken = "start with a broken file"
        case controlDone = "control done"
        case controlRefused = "control refused"
        case controlTwice = "control asked twice at once"
        case attemptCancelled = "attempt cancelled"
        case attemptRepeated = "delivery attempted again"
        case takenUntold = "delivery taken, and the program not told"
        case caughtUp = "delivery caught up on"
        case notified = "notice of a failure"
        case missNotified = "notice of a miss"
        case takeOver = "take-over while followers deliver"
        case followerDelivers = "delivery begun by a follower"
        case followerCrash = "crash of a follower"
        case followerCrashInAttempt = "crash of a follower during an attempt"
        case followerStop = "stop of a follower in order"
        case cutOffInAttempt = "follower cut off during an attempt"
        case cutOffReleased = "claims of a follower released that is cut off"
        case claimsReleased = "claims of a follower released"
        case onlyLeader = "delivery that only the leader may make"
        case onlyLabelled = "delivery that only a machine with a label may make"
        case onlyFollowers = "delivery that only a follower may make"
        case bellLost = "notification to another machine lost"

        /// Whether it happens on one kind of store only; nil: on all.
        var store: StoreKind? {
            switch self {
            // Only a disk can lose writes, and take a part of a commit.
            case .crashInCommit, .writesLost: .sqlite
            case .takeOver, .followerDelivers, .followerCrash, .followerCrashInAttempt, .followerStop, .claimsReleased,
                .cutOffInAttempt, .cutOffReleased,
                .onlyLeader, .onlyLabelled, .onlyFollowers, .bellLost:
                .fleet
            default: nil
            }
        }
    }

    /// What the checker has to meet.
    static let tallies = [
        "demanded", "demanded although missed", "demanded after a snooze", "notice of failure demanded",
        "taken after several attempts", "excused: refused for good", "excused: given up",
        "excused: of no use any more", "excused: withdrawn", "excused: skipped by overlap",
        "excused: replaced by overlap",
    ]

    private(set) var counts: [String: Int] = [:]

    mutating func note(_ event: Event) { counts[event.rawValue, default: 0] += 1 }

    mutating func add(_ other: [String: Int]) { counts.merge(other, uniquingKeysWith: +) }

    /// What never happened.
    func missing(on store: StoreKind) -> [String] {
        let events = Event.allCases.filter { $0.store == nil || $0.store == store }
        return (events.map(\.rawValue) + Self.tallies).filter { counts[$0, default: 0] == 0 }
    }

    /// One line for each, for display.
    var text: String {
        let events = Event.allCases.filter { $0.store == nil || counts[$0.rawValue] != nil }
        let names = events.map(\.rawValue) + counts.keys.filter { Event(rawValue: $0) == nil }.sorted()
        let lines = names.map { name in
            let count = String(counts[name, default: 0])
            return String(repeating: " ", count: max(0, 9 - count.count)) + count + "  " + name
        }
        return lines.joined(separator: "\n")
    }
}
