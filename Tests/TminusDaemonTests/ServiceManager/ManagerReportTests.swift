import Testing

@testable import TminusDaemon

/// What the service manager is told, and in which order.
@Suite("Notices to the service manager")
struct ManagerReportTests {
    private var report = ManagerReport()
    private let reload = ManagerReport.Event.reloading(ReloadDesk.Mark())

    private mutating func take(_ events: ManagerReport.Event..., time: Int64 = 7) -> [String] {
        report.take(events, time: time)
    }

    @Test("READY waits for the first load and the control socket, whichever comes last", arguments: [true, false])
    mutating func ready(loadsFirst: Bool) {
        let events: [ManagerReport.Event] = [.loaded(status: "generation 1"), .serving]
        let ordered = loadsFirst ? events : events.reversed()
        #expect(take(ordered[0]) == [])
        #expect(take(ordered[1]) == ["READY=1\nSTATUS=generation 1"])
        #expect(take(.serving) == [], "a socket that was made anew")
    }

    @Test("the status is told when it changes, in one line")
    mutating func status() {
        #expect(take(.serving, .loaded(status: "generation 1")) == ["READY=1\nSTATUS=generation 1"])
        #expect(take(.loaded(status: "generation 1")) == [])
        #expect(take(.loaded(status: "a\nREADY=0")) == ["STATUS=a READY=0"])
    }

    @Test("a reload is told with the monotonic time, and READY when it has ended")
    mutating func oneReload() {
        _ = take(.serving, .loaded(status: "1"))
        #expect(take(reload, time: 123) == ["RELOADING=1\nMONOTONIC_USEC=123"])
        #expect(take(.loaded(status: "2")) == ["STATUS=2"])
        #expect(take(.reloaded) == ["READY=1\nSTATUS=2"])
        #expect(take(reload, .reloaded, time: 5) == ["RELOADING=1\nMONOTONIC_USEC=5", "READY=1\nSTATUS=2"])
    }

    @Test("a reload during a reload has a time of its own, and READY comes after the last; two at once are one")
    mutating func overlappingReloads() {
        _ = take(.serving, .loaded(status: "1"))
        #expect(take(reload, reload, time: 1) == ["RELOADING=1\nMONOTONIC_USEC=1"])
        #expect(take(reload, time: 2) == ["RELOADING=1\nMONOTONIC_USEC=2"])
        #expect(take(.reloaded) == [])
        #expect(take(.reloaded) == [])
        #expect(take(.reloaded) == ["READY=1\nSTATUS=1"])
    }

    @Test("a reload before the start has ended waits for READY")
    mutating func earlyReload() {
        #expect(take(reload) == [])
        #expect(take(.loaded(status: "1")) == [])
        #expect(take(.serving, time: 9) == ["READY=1\nSTATUS=1", "RELOADING=1\nMONOTONIC_USEC=9"])
        #expect(take(.reloaded) == ["READY=1\nSTATUS=1"])
    }

    @Test("after STOPPING nothing is told", arguments: [true, false])
    mutating func stopping(isReady: Bool) {
        if isReady { _ = take(.serving, .loaded(status: "1")) }
        #expect(take(.stopping) == ["STOPPING=1\nSTATUS=stopping; running deliveries get half a minute"])
        #expect(take(.serving, .loaded(status: "2"), reload) == [])
        #expect(take(.reloaded, .stopping) == [])
    }

    @Test("of several loads that wait only the newest counts")
    func mailbox() {
        let inbox = Mailbox<ManagerReport.Event>()
        inbox.send(.loaded(status: "1"))
        inbox.send(.serving)
        inbox.send(.loaded(status: "2"))
        var report = ManagerReport()
        #expect(report.take(inbox.takeAll(), time: 0) == ["READY=1\nSTATUS=2"])
    }
}
