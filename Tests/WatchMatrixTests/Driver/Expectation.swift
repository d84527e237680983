import TminusTestKit

/// What is to come of a step.
///
/// Always checked, whatever is said here: every definition has its value of before or of afterwards, never another, and
/// never goes back; none that is there before and afterwards is missing in between; every deadline stays bit-equal; the
/// content in force in the end is that of the disk; no rescan found what no notification had told.
struct Expectation: Sendable {
    /// Definitions that are new or other afterwards, names by id.
    var sets: [String: String] = [:]
    /// Definitions that are gone afterwards.
    var removes: Set<String> = []
    /// How many changes there are on the way.
    var reloads: ClosedRange<Int> = 1...1
    /// Definitions that may be gone for a while.
    var mayVanish: Set<String> = []
    /// Text that the problems contain afterwards; with none, there are none.
    var problems: [String] = []
    /// Whether there may be problems on the way.
    var mayComplain = false
    /// How long after the last write the change is in force at the latest.
    var latency: Duration?
    /// How long after the last write it is in force at the earliest.
    var notBefore: Duration?
    /// Whether the content in force in the end is that of the disk.
    var isOnDisk = true
    /// Whether the step ends with a file of the driver that is put in place, so that nothing can be pending.
    var isFenced = true
    /// How long to wait for it after the action.
    var patience = Bounded.limit
    /// Looks at what else matters, and says what is wrong.
    var also: (@Sendable (Scene) -> [String])?

    /// The common case: `a` becomes `new`, by one reload.
    static let changed = Expectation(sets: ["a": "new"])

    /// Nothing changes.
    static let nothing = Expectation(reloads: 0...0)

    /// Definitions are new or other.
    static func sets(_ items: [String: String], reloads: ClosedRange<Int> = 1...1) -> Expectation {
        Expectation(sets: items, reloads: reloads)
    }

    /// Definitions are gone.
    static func removes(_ ids: Set<String>, reloads: ClosedRange<Int> = 1...1) -> Expectation {
        Expectation(removes: ids, reloads: reloads)
    }

    /// The same with other values.
    func with(_ change: (inout Expectation) -> Void) -> Expectation {
        var copy = self
        change(&copy)
        return copy
    }

    /// Whether it is that of one complete save, or of nothing: no removal, which takes the grace, and no limit of its own.
    var isCommon: Bool {
        reloads.upperBound <= 1 && removes.isEmpty && mayVanish.isEmpty && !sets.isEmpty == (reloads == 1...1)
            && latency == nil && notBefore == nil
    }

    /// The definitions afterwards.
    func items(after before: [String: String]) -> [String: String] {
        before.filter { !removes.contains($0.key) }.merging(sets) { _, new in new }
    }
}
