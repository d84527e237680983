import Logging
import ServiceLifecycle
import Testing
import TminusTestKit

@testable import TminusDaemon

@Suite("Work that ends with the daemon")
struct UntilStopTests {
    private struct Failed: Error {}

    /// A service with such work, which keeps its result.
    private struct Worker: Service {
        let limit: Duration
        let result = Watched<Result<Int?, Failed>?>(nil)
        let begun = Watched(false)
        let ended = Watched(false)
        /// What the work does once it is to end.
        let end: @Sendable () async throws -> Int

        func run() async throws {
            let value: Result<Int?, Failed>
            do {
                value = .success(
                    try await UntilStop(limit: limit).run {
                        begun.update { $0 = true }
                        _ = await ended.wait(upTo: Bounded.limit) { $0 }
                        return try await end()
                    } end: {
                        ended.update { $0 = true }
                    })
            } catch {
                value = .failure(Failed())
            }
            result.update { $0 = value }
        }
    }

    /// Runs a worker, and stops it once it works.
    private func stopped(_ limit: Duration, _ end: @escaping @Sendable () async throws -> Int) async throws -> Int? {
        let worker = Worker(limit: limit, end: end)
        let group = ServiceGroup(
            services: [worker], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        let task = Task { try await group.run() }
        #expect(await worker.begun.wait(upTo: Bounded.limit) { $0 })
        await group.triggerGracefulShutdown()
        #expect(await worker.result.wait(upTo: Bounded.limit) { $0 != nil })
        try await task.value
        return try worker.result.value?.get()
    }

    @Test("it gives its result, and its error")
    func plain() async throws {
        let value = try await UntilStop().run {
            7
        } end: {
        }
        #expect(value == 7)
        await #expect(throws: Failed.self) {
            let _: Int? = try await UntilStop().run {
                throw Failed()
            } end: {
            }
        }
    }

    @Test("after a stop it is told to end, and an error no longer counts")
    func ends() async throws {
        #expect(try await stopped(.seconds(3_600)) { throw Failed() } == nil)
        #expect(try await stopped(.seconds(3_600)) { 7 } == 7, "it succeeded all the same")
    }

    @Test("what does not end in time is left alone")
    func stuck() async throws {
        let gate = Watched(false)
        let value = try await stopped(.milliseconds(1)) {
            _ = await gate.wait(upTo: Bounded.limit) { $0 }
            return 7
        }
        #expect(value == nil)
        gate.update { $0 = true }
    }
}
