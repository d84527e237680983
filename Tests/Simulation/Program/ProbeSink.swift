import SimulationChecker
import TminusCore
import TminusTestKit

/// A sink whose receiver is simulated: it answers what was drawn for the attempt.
struct ProbeSink: Sink {
    /// What the receiver says to the attempt that is being made; nil: it accepted.
    @TaskLocal static var refusal: DeliveryError?

    static let kind = "probe"
    static let options = KeyTable(
        "a probe",
        [
            KeyTable.Key("probe", .text, "the name of the receiver", isRequired: true),
            KeyTable.Key("max-concurrent", .integer(1...100), "how many deliveries run at once", standard: "1"),
            KeyTable.Key("timeout", .duration, "how long one delivery may take", standard: "30s"),
        ])

    let receiver: String
    let maxConcurrent: Int
    let timeLimit: Duration

    init?(from reader: inout MappingReader, context: SinkContext) {
        maxConcurrent = reader.integer("max-concurrent", in: 1...100) ?? 1
        timeLimit = reader.duration("timeout") ?? .seconds(30)
        guard let receiver = reader.text("probe") else { return nil }
        self.receiver = receiver
    }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        if let refusal = Self.refusal { throw refusal }
        return .empty
    }
}

/// What will become of an attempt.
struct Fate: Sendable {
    /// After how long the receiver takes the delivery; nil: never.
    var taken: Nanoseconds?
    /// After how long the program is told.
    var told: Nanoseconds
    /// What it is told; nil: delivered.
    var refusal: DeliveryError?

    /// Draws the fate of an attempt with a receiver of that manner.
    init(_ manner: Manner, limit: Nanoseconds, _ random: inout SeededRandom) {
        let millisecond: Nanoseconds = 1_000_000
        let short = Int64(1 + random.below(80)) * millisecond
        // The time limit of the program, with the 2 s that a sink may exceed it by.
        let cut = limit + 2_000 * millisecond
        switch manner {
        case .quick: (taken, told) = (short / 2, short)
        case .slow:
            told =
                1_000 * millisecond + Int64(random.below(Int((limit - 1_000 * millisecond) / millisecond)))
                * millisecond
            taken = told / 2
        case .failing:
            let wait = random.below(4) == 0 ? Duration.seconds(random.below(120)) : nil
            (told, refusal) = (short, .transient("it is down", retryAfter: wait))
        case .refusing: (told, refusal) = (short, .permanent("it does not want it"))
        case .hanging: (told, refusal) = (cut, .transient("it did not answer in time"))
        case .late: (taken, told, refusal) = (limit + short, cut, .transient("it did not answer in time"))
        }
    }
}

extension SeededRandom {
    /// Numbers for one thing of a run, which are the same whatever else happens in it.
    init(_ seed: UInt64, for name: String) {
        let digest = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init(seed &* 0x9e37_79b9_7f4a_7c15 ^ digest)
    }
}
