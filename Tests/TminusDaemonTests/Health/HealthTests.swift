import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Health")
struct HealthTests {
    @Test("a part that does not answer is named, and a part that cannot be judged is not")
    func check() {
        var check = HealthCheck()
        #expect(!check.isDecided && check.hanging == [.scheduler, .loader])
        check.take(.engine(Pulse()))
        #expect(!check.isDecided && check.hanging == [.loader])
        check.take(.loader)
        #expect(check.isDecided && check.hanging == [])
    }

    @Test(
        "a commit on its way means a dispatcher that hangs once it takes twice as long as the store may take to refuse",
        arguments: [(4, []), (9, []), (10, [.dispatcher]), (3_600, [.dispatcher])] as [(Int64, [HealthPart])])
    func commit(age: Int64, hanging: [HealthPart]) {
        var check = HealthCheck()
        check.take(.loader)
        check.take(.engine(Pulse(commitAge: .seconds(age))))
        #expect(check.isDecided && check.hanging == hanging)
    }

    /// A desk, and tasks that answer as engine and loader.
    private struct Scene {
        let engine = Mailbox<EngineInput>()
        let loader = Mailbox<LoaderInput>()
        let desk: HealthDesk

        init(limit: Duration, loaderWaits: @escaping @Sendable () -> Bool = { false }) {
            desk = HealthDesk(engine: engine, loader: loader, limit: limit, loaderWaits: loaderWaits)
        }

        /// Asks while the parts that are named answer.
        func ask(engine isEngine: Bool, loader isLoader: Bool) async -> [HealthPart] {
            await withTaskGroup { group in
                if isEngine {
                    group.addTask {
                        for await _ in engine.signals where !engine.takeAll().isEmpty { desk.answered(Pulse()) }
                    }
                }
                if isLoader {
                    group.addTask {
                        for await _ in loader.signals where !loader.takeAll().isEmpty { desk.loaderAnswered() }
                    }
                }
                let hanging = await desk.hanging()
                group.cancelAll()
                return hanging
            }
        }
    }

    /// Far longer than any test needs: it is never waited for.
    private static let never = Duration.seconds(600)

    @Test("it is healthy as soon as all parts have answered")
    func healthy() async {
        #expect(await Scene(limit: Self.never).ask(engine: true, loader: true) == [])
    }

    @Test("parts that do not answer within the limit are named")
    func hanging() async {
        #expect(await Scene(limit: .milliseconds(1)).ask(engine: false, loader: false) == [.scheduler, .loader])
        #expect(await Scene(limit: .milliseconds(1)).ask(engine: false, loader: true).first == .scheduler)
    }

    @Test("a loader that waits for the store, or has ended, does not hang")
    func loader() async {
        #expect(
            await Scene(limit: .milliseconds(1)) { true }.ask(engine: false, loader: false) == [.scheduler])
        let scene = Scene(limit: Self.never)
        _ = scene.loader.close()
        #expect(await scene.ask(engine: true, loader: false) == [])
    }

    @Test("a daemon that stops does not hang")
    func stopping() async {
        let scene = Scene(limit: Self.never)
        async let asked = scene.ask(engine: false, loader: false)
        scene.desk.stopping()
        #expect(await asked == [])
        #expect(await scene.ask(engine: false, loader: false) == [])
    }
}

@Suite("Readiness")
struct ReadinessTests {
    @Test(
        "ready is: served, taken in, writable, its socket there and not stopping; what is missing is named",
        arguments: [
            (true, false, true, true, false, []), (false, false, true, true, false, [.starting]),
            (true, false, false, true, false, [.starting]), (true, false, true, false, false, [.store]),
            (true, false, true, true, true, [.socket]), (false, false, false, false, true, [.starting, .store]),
            (true, true, true, true, false, [.stopping]), (false, true, false, false, true, [.stopping]),
        ] as [(Bool, Bool, Bool, Bool, Bool, [Unreadiness])])
    func table(
        isServing: Bool, isStopping: Bool, isTakenIn: Bool, isWritable: Bool, isSocketLost: Bool, missing: [Unreadiness]
    ) {
        #expect(
            Readiness.missing(
                isServing: isServing, isStopping: isStopping, isTakenIn: isTakenIn, isWritable: isWritable,
                isSocketLost: isSocketLost) == missing)
    }

    @Test("a directory that is not there at the start is not taken in")
    func missingDirectory() throws {
        let harness = try ControlHarness(isStarting: true)
        harness.probes.readiness.serving()
        var load = LoadStatus()
        load.fail(problems: [], state: 1, at: at(0))
        harness.board.publish(inForce: load)
        #expect(harness.probes.readiness.missing == [.starting])
        harness.board.publish(inForce: ControlHarness.load(ofState: 1))
        #expect(harness.probes.readiness.missing == [])
    }
}
