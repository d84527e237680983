import Testing
import TminusTestKit

@testable import TminusCore

/// The clock of a fleet over manual clocks: that of the machine, and that of the database.
@Suite("The clock of a fleet")
struct FleetClockTests {
    private let machine = ManualClock(now: at(0))
    private let database = ManualClock(now: at(3_600))
    private let ahead = Watched<[Duration]>([])
    private let clock: FleetClock

    init() { clock = FleetClock(on: machine) { [ahead] news in ahead.update { $0.append(news) } } }

    private func measure() { #expect(clock.measure { database.now }) }

    /// Lets time pass for both.
    private func pass(_ seconds: Double) {
        for clock in [machine, database] { clock.advance(by: .seconds(seconds)) }
    }

    @Test("it shows the time of the database; the machine's clock, wrong or set, changes nothing")
    func follows() {
        measure()
        #expect(clock.reading == ClockReading(now: at(3_600), setBy: .zero))
        machine.set(to: at(-90))
        pass(5)
        #expect(clock.reading == ClockReading(now: at(3_605), setBy: .zero))
        measure()
        machine.set(to: at(86_400))
        pass(5)
        measure()
        #expect(clock.recentReading == ClockReading(now: at(3_610), setBy: .zero))
        #expect(ahead.value == [.seconds(-3_600), .seconds(-3_690), .seconds(82_795)])
        #expect(clock.machineAhead == .seconds(82_795))
    }

    @Test("without an answer, and after one that fails, the clock keeps the last distance")
    func outage() {
        struct Lost: Error {}
        measure()
        #expect(!clock.measure { nil })
        #expect(throws: Lost.self) { try clock.measure { throw Lost() } }
        pass(86_400)
        #expect(clock.reading == ClockReading(now: at(90_000), setBy: .zero))
        #expect(ahead.value.count == 1)
    }

    @Test("a database that jumps is a clock that was set; a sleep of the machine is a sleep")
    func jump() {
        measure()
        database.set(to: at(0))
        pass(1)
        measure()
        #expect(clock.reading == ClockReading(now: at(1), setBy: .seconds(-3_600)))
        machine.sleep(for: .seconds(60))
        database.advance(by: .seconds(60))
        measure()
        #expect(clock.reading == ClockReading(now: at(61), setBy: .seconds(-3_600), slept: .seconds(60)))
    }

    @Test("an alarm rings at its instant by the database's clock, also after the machine's clock was set")
    func alarm() async {
        measure()
        let alarm = clock.makeAlarm()
        var rings = alarm.rings.makeAsyncIterator()
        alarm.set(at(3_610))
        #expect(machine.nextDeadline == at(10))
        machine.set(to: at(-90))
        // The owner looks, and sets it again.
        await rings.next()
        #expect(clock.now == at(3_600))
        alarm.set(at(3_610))
        #expect(machine.nextDeadline == at(-80))
        pass(10)
        await rings.next()
        #expect(clock.now == at(3_610))
        alarm.set(nil)
        #expect(machine.nextDeadline == nil)
        alarm.cancel()
        #expect(await rings.next() == nil)
    }

    @Test("a jump rings every alarm and sets it by the new distance; a small correction only sets it")
    func corrected() async {
        measure()
        let (rung, quiet) = (Watched(0), Watched(0))
        let alarm = clock.makeAlarm { rung.update { $0 += 1 } }
        let idle = clock.makeAlarm { quiet.update { $0 += 1 } }
        alarm.set(at(3_660))
        idle.set(nil)
        database.advance(by: .milliseconds(50))
        measure()
        #expect(machine.nextDeadline == at(59.95) && rung.value == 0 && quiet.value == 0)
        database.set(to: at(3_630))
        measure()
        #expect(machine.nextDeadline == at(30) && rung.value == 1 && quiet.value == 1)
        database.set(to: at(7_200))
        measure()
        // That is past. It rings for the jump, and because it is due.
        #expect(rung.value == 3 && quiet.value == 2)
        alarm.cancel()
        idle.cancel()
        #expect(machine.nextDeadline == nil)
    }

    @Test("an alarm that nobody has any more is forgotten")
    func forgotten() {
        measure()
        let rung = Watched(0)
        do { clock.makeAlarm { rung.update { $0 += 1 } }.set(at(3_660)) }
        database.set(to: at(0))
        measure()
        #expect(rung.value == 0)
    }
}
