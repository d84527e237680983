import Testing
import TminusTestKit

@testable import TminusCore

struct ScheduleTableTests {
    @Test("a definition that stays is in exactly one page, whatever is added and removed between two pages")
    func pages() throws {
        var random = SeededRandom(7)
        var table = ScheduleTable()
        let ids = try (0..<200).map { try #require(DefinitionID("t\($0)")) }
        let slots = ids.map { table.insert(Self.row($0, .seconds(1))) }
        let removed = Set(ids.filter { _ in random.below(4) == 0 })
        var seen: [DefinitionID] = []
        var (start, gone): (UInt32?, Int) = (0, 0)
        while let place = start {
            let page = table.page(from: place, limit: 7)
            #expect(page.rows.count == 7 || page.next == nil)
            seen += page.rows.map(\.definition.id)
            start = page.next
            for (id, slot) in zip(ids, slots).dropFirst(gone).prefix(20) where removed.contains(id) {
                _ = table.remove(slot)
            }
            gone += 20
            _ = table.insert(Self.row(try #require(DefinitionID("new\(gone)")), .seconds(1)))
        }
        let rest = ids.filter { !removed.contains($0) }
        #expect(seen.filter { rest.contains($0) } == rest)
        #expect(table.page(from: .max, limit: 1).rows.isEmpty)
    }

    @Test("does what a dictionary does", arguments: 0..<16 as Range<UInt64>)
    func dictionary(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var table = ScheduleTable()
        var model: [DefinitionID: (slot: UInt32, length: Duration)] = [:]
        let ids = try (0..<[4, 40, 400][Int(seed) % 3]).map { try #require(DefinitionID("t\($0)")) }
        if seed % 2 == 0 {
            table.reserve(ids.count / 2)
            for id in ids.prefix(ids.count / 2) { model[id] = (table.insert(Self.row(id, .seconds(1))), .seconds(1)) }
        }
        for _ in 0..<4_000 {
            let id = ids[random.below(ids.count)]
            if let known = model[id] {
                if random.below(2) == 0 {
                    #expect(table.remove(known.slot)?.definition.id == id)
                    model[id] = nil
                } else {
                    let length = Duration.seconds(random.below(100) + 1)
                    table.replace(known.slot, by: Self.row(id, length))
                    model[id] = (known.slot, length)
                }
            } else {
                let slot = table.insert(Self.row(id, .seconds(1)))
                #expect(!model.values.contains { $0.slot == slot })
                model[id] = (slot, .seconds(1))
            }
            try #require(table.count == model.count)
            let other = ids[random.below(ids.count)]
            try #require(table.slot(of: other) == model[other]?.slot)
        }
        for id in ids {
            #expect(table.slot(of: id) == model[id]?.slot)
            guard case .timer(let timer)? = table.row(id)?.definition.schedule else {
                #expect(model[id] == nil)
                continue
            }
            #expect(timer.duration == model[id]?.length)
        }
        #expect(table.all.map(\.slot) == model.values.map(\.slot).sorted())
    }

    @Test("a row gives back the state that it was made of")
    func state() throws {
        let definition = Definition.timer(.seconds(60))
        var plain = ScheduleRevision(definition).fresh(at: at(0))
        plain.occurrences = 7
        var held = plain
        held.phase = .paused
        held.heldSince = at(3)
        held.added = .seconds(5)
        held.laps = [.seconds(1)]
        held.overrides.mute = Overrides.Mute(until: at(9), origin: Overrides.Origin(by: "ada", at: at(1)))
        held.removed = at(4)
        var stored = plain
        stored.fingerprint += 1
        var idle = plain
        idle.start = nil
        idle.deadline = nil
        idle.kind = .event
        idle.occurrences = 1 << 40
        for state in [plain, held, stored, idle] {
            #expect(ScheduleRow(definition, state).state == state)
        }
        #expect(MemoryLayout<ScheduleRow?>.stride == 64)
    }

    private static func row(_ id: DefinitionID, _ length: Duration) -> ScheduleRow {
        let definition = Definition.timer(length, id: id.rawValue)
        return ScheduleRow(definition, ScheduleRevision(definition).fresh(at: at(0)))
    }
}
