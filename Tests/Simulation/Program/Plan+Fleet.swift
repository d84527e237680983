import TminusCore
import TminusTestKit

/// What a run has beyond others in which several machines share a store. All other draws stay as they are.
extension Plan {
    /// Which machines may deliver to a sink.
    enum Place: String, Sendable {
        case leader
        /// Those with a label that the leaders and the first follower have.
        case east
        /// Those with a label that all followers have, and no leader.
        case west

        /// Whether the follower at a place may deliver there; nil: whether the leader may.
        func allows(_ follower: Int?) -> Bool {
            switch self {
            case .leader: follower == nil
            case .east: follower == nil || follower == 0
            case .west: follower != nil
            }
        }

        fileprivate var label: MachineLabel? { MachineLabel(rawValue) }
    }

    /// The labels of every machine that leads.
    static let leaderLabels = Set([Place.east.label].compactMap(\.self))

    /// The labels of the follower at a place.
    static func labels(at place: Int) -> Set<MachineLabel> {
        let labels = place == 0 ? [Place.east, .west] : [.west]
        return Set(labels.compactMap(\.label))
    }

    /// The plan with followers, and with what happens to them.
    func withFollowers() -> Plan {
        var (plan, random) = (self, SeededRandom(seed, for: "fleet"))
        plan.add(followers: 1 + random.below(3), runOn: random.runOn(terms.keys.sorted()))
        // Usually another machine takes over within seconds.
        for index in plan.happenings.indices where random.below(4) > 0 {
            switch plan.happenings[index].deed {
            case .crash(let effects, _):
                let time = Int64(7_000 + random.below(5_000)) * 1_000_000
                plan.happenings[index].deed = .crash(effects: effects, down: time)
            case .stop: plan.happenings[index].deed = .stop(down: Int64(10 + random.below(200)) * 1_000_000)
            default: break
            }
        }
        let days = Int(length / Self.day)
        plan.happenings += (0..<10 * max(1, days)).map { _ in
            let at = Int64(random.below(Int(length / 1_000_000))) * 1_000_000
            let place = random.below(plan.followers)
            let down = Int64(1 + random.below([4, 60, 3_600][random.below(3)])) * 1_000_000_000
            let deed: Deed =
                switch random.below(6) {
                case 0: .stopFollower(place: place, down: down)
                case 1: .cutOff(place: place, lasts: Int64(1 + random.below(40)) * 1_000_000_000)
                case 2, 3: .crashAttempt(place: place, down: down)
                default: .crashFollower(place: place, effects: 1 + random.below(6), down: down)
                }
            return Happening(at: at, deed: deed)
        }
        plan.happenings.sort { $0.at < $1.at }
        return plan
    }
}

extension SeededRandom {
    /// Draws where the sinks may be served: half of them anywhere.
    fileprivate mutating func runOn(_ sinks: [String]) -> [String: Plan.Place] {
        var places: [String: Plan.Place] = [:]
        for sink in sinks {
            switch below(6) {
            case 0: places[sink] = .leader
            case 1: places[sink] = .east
            case 2: places[sink] = .west
            default: break
            }
        }
        return places
    }
}
