import Testing
import TminusCore

@Suite("Overlap")
struct OverlapTests {
    private let now = Timestamp(seconds: 1_000)
    private let occurrence = Timestamp(seconds: 990)

    /// When a delivery may run behind one of `occurrence` that is claimed until then.
    private func turn(
        _ overlap: Overlap, behind occurrence: Int64, claimedUntil: Int64? = nil, isCatchUp: Bool = false
    ) -> Overlap.Turn {
        let head = Overlap.Head(
            occurrence: Timestamp(seconds: occurrence), claimedUntil: claimedUntil.map { Timestamp(seconds: $0) })
        return overlap.turn(behind: head, occurrence: self.occurrence, isCatchUp: isCatchUp, now: now)
    }

    @Test("a delivery with none before it runs at once", arguments: Overlap.allCases)
    func first(_ overlap: Overlap) {
        #expect(overlap.turn(behind: nil, occurrence: occurrence, isCatchUp: false, now: now) == .now)
    }

    @Test("behind an earlier occurrence that waits, each policy has its own turn")
    func behindOneThatWaits() {
        #expect(turn(.allow, behind: 900) == .now)
        #expect(turn(.queue, behind: 900) == .behind)
        #expect(turn(.skip, behind: 900) == .behind)
        #expect(turn(.replace, behind: 900) == .instead)
    }

    @Test("behind an earlier occurrence that runs, only 'skip' decides otherwise")
    func behindOneThatRuns() {
        #expect(turn(.allow, behind: 900, claimedUntil: 1_001) == .now)
        #expect(turn(.queue, behind: 900, claimedUntil: 1_001) == .behind)
        #expect(turn(.skip, behind: 900, claimedUntil: 1_001) == .skipped)
        #expect(turn(.replace, behind: 900, claimedUntil: 1_001) == .instead)
    }

    @Test("'skip' skips neither what is caught up nor behind a claim that is over")
    func notSkipped() {
        #expect(turn(.skip, behind: 900, claimedUntil: 1_001, isCatchUp: true) == .behind)
        #expect(turn(.skip, behind: 900, claimedUntil: 1_000) == .behind)
    }

    @Test("actions of one occurrence keep their order", arguments: [Overlap.skip, .queue, .replace])
    func sameOccurrence(_ overlap: Overlap) {
        #expect(turn(overlap, behind: 990) == .behind)
        #expect(turn(overlap, behind: 990, claimedUntil: 1_001) == .behind)
    }
}
