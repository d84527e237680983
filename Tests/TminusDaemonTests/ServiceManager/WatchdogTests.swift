import Synchronization
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Watchdog")
struct WatchdogTests {
    @Test("half of the limit is the time between pings, and each ping is passed on once")
    func interval() {
        var state = WatchdogState(limit: .seconds(120))
        #expect(state.interval == .seconds(60))
        #expect(state.judge(Pulse()) == .nothing, "nobody asked")
        #expect(state.pinged() == .seconds(60))
        #expect(state.judge(Pulse()) == .send)
        #expect(state.judge(Pulse()) == .nothing)
        #expect(WatchdogState(limit: .microseconds(1)).interval == .milliseconds(10), "never a busy loop")
    }

    @Test(
        "a commit that takes 40 s of a limit of 2 min has no consequence, one of 60 s holds the datagram back",
        arguments: [(40, WatchdogState.Verdict.send), (59, .send), (60, .pingAgain(after: .seconds(6)))]
            as [(Int64, WatchdogState.Verdict)])
    func commit(age: Int64, verdict: WatchdogState.Verdict) {
        var state = WatchdogState(limit: .seconds(120))
        _ = state.pinged()
        #expect(state.judge(Pulse(commitAge: .seconds(age))) == verdict)
    }

    @Test("a store that hangs is killed within three minutes, and not before two")
    func hang() {
        for begin in stride(from: 0, to: 60, by: 5) {
            var state = WatchdogState(limit: .seconds(120))
            var (now, next) = (0, Duration.seconds(60))
            var last = 0
            while now - last < 120 {
                now += Int(next.components.seconds)
                guard now - last < 120 else { break }
                next = state.pinged()
                let age = now > begin ? Duration.seconds(now - begin) : nil
                switch state.judge(Pulse(commitAge: age)) {
                case .send: last = now
                case .pingAgain(let pause): next = pause
                case .nothing: break
                }
            }
            // The service manager kills 120 s after the last datagram.
            let killed = last + 120 - begin
            #expect((120...180).contains(killed), "\(begin): \(killed)")
        }
    }

    @Test("a datagram that the service manager has no room for is sent again soon")
    func full() throws {
        let (sent, times) = (Watched(0), Watched<[Duration]>([]))
        let engine = Mailbox<EngineInput>()
        let watchdog = Watchdog(limit: .seconds(120), engine: engine) { _ in
            sent.update { count in
                count += 1
                return count > 1
            }
        }
        watchdog.start { time in times.update { $0.append(time) } }
        watchdog.ring()
        watchdog.answered(Pulse())
        watchdog.ring()
        watchdog.answered(Pulse())
        watchdog.answered(Pulse())
        #expect(times.value == [.seconds(60), .seconds(60), .seconds(6), .seconds(60)])
        #expect(sent.value == 2)
        #expect(engine.takeAll().count == 1, "pings that wait are one")
    }

    @Test("while the store hangs the engine answers and nothing is sent; afterwards the next ping is passed on")
    func hangingStore() async throws {
        var harness = DaemonHarness()
        let sent = Watched(0)
        let watchdog = Watchdog(limit: .seconds(120), engine: harness.engine) { text in
            #expect(text == "WATCHDOG=1")
            sent.update { $0 += 1 }
            return true
        }
        let times = Watched<[Duration]>([])
        watchdog.start { time in times.update { $0.append(time) } }
        harness.pulse = { watchdog.answered($0) }
        let running = harness
        try await running.run { _ in
            watchdog.ring()
            #expect(await sent.wait(upTo: Bounded.limit) { $0 == 1 })
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            let begun = Watched(false)
            running.store.beforeCommit { _ in
                begun.update { $0 = true }
                for await _ in gate { return }
            }
            running.load([.timer()], [])
            #expect(await begun.wait(upTo: Bounded.limit) { $0 })
            running.clock.advance(by: .seconds(60))
            watchdog.ring()
            #expect(await times.wait(upTo: Bounded.limit) { $0.last == .seconds(6) })
            #expect(sent.value == 1)
            running.store.beforeCommit { _ in }
            open.yield()
            open.finish()
            // The timer that was due meanwhile is fired once the commit has come back.
            try await running.store.waitForCommits(.firings, 1)
            watchdog.ring()
            #expect(await sent.wait(upTo: Bounded.limit) { $0 == 2 })
        }
    }
}
