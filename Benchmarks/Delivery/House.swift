import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import TminusCore
import TminusDaemon

/// The whole daemon in this process, with events that come due at one instant.
struct House {
    /// Where its directories are made.
    let scratch: URL
    /// The sinks as a definition file has them, as JSON.
    let sinks: String

    /// Runs the daemon while `count` events, each for `actions` (JSON), come due: at one instant, or with `spacing` between them.
    ///
    /// `body` is handed the first instant, and runs from shortly before it on; what it returns is returned.
    func run<Result: Sendable>(
        count: Int, spacing: Duration = .zero, actions: String, kinds: [any Sink.Type], perFile: Int = 1_000,
        store: (any Store)? = nil,
        _ body: @Sendable (Timestamp) async throws -> Result
    ) async throws -> Result {
        let name = "house-\(UInt32.random(in: 0 ... .max))"
        let config = scratch.appending(path: "\(name)/config")
        let state = scratch.appending(path: "\(name)/state")
        try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: scratch.appending(path: name)) }
        // Some times what it takes to load them: what is not loaded by then is late.
        let due = Timestamp(seconds: Int64(Date().timeIntervalSince1970) + 3 + Int64(count / 10_000))
        try Data("{\"sinks\": \(sinks)}".utf8).write(to: config.appending(path: "sinks.json"))
        for first in stride(from: 0, to: count, by: perFile) {
            let events = (first..<min(count, first + perFile)).map {
                let at = due.advanced(by: spacing * $0).rfc3339
                return "\"e\($0)\": {\"at\": \"\(at)\", \"on-expiry\": \(actions)}"
            }
            try Data("{\"events\": {\(events.joined(separator: ",\n"))}}".utf8)
                .write(to: config.appending(path: "e\(first).json"))
        }
        let options = try DaemonOptions(config: config.path, state: state.path, store: nil)
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        var daemon = Daemon(options: options, sinks: kinds, logger: logger)
        daemon.store = store
        let group = ServiceGroup(services: [daemon], logger: logger)
        let task = Task { try await group.run() }
        try await Task.sleep(for: .seconds(max(0, Double(due.nanoseconds) / 1e9 - Date().timeIntervalSince1970 - 0.5)))
        let result: Result
        do {
            result = try await body(due)
        } catch {
            task.cancel()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await task.value
        return result
    }
}

/// What a sink of a benchmark was asked to do, and when.
final class Meter: Sendable {
    /// One for the process: a sink is made by the daemon and cannot be handed anything.
    static let shared = Meter()

    fileprivate struct State {
        var count = 0
        var first: Timestamp?
        var last: Timestamp?
        /// In nanoseconds.
        var lateness: [Int64] = []
        /// Who waits until so many have ended.
        var waiter: CheckedContinuation<Void, Never>?
        var goalCount = Int.max
    }

    private let state = Mutex(State())

    /// Forgets all, and makes room for so many: that is no time to be measured.
    func reset(room count: Int = 0) {
        state.withLock {
            $0 = State()
            $0.lateness.reserveCapacity(count)
        }
    }

    /// Takes note of the beginning of a delivery.
    func begin(_ delivery: Delivery) {
        let now = Timestamp.now
        state.withLock { $0.begin(delivery, at: now) }
    }

    /// Takes note of its end.
    func end() {
        let now = Timestamp.now
        state.withLock { $0.end(at: now) }?.resume()
    }

    /// Takes note of a delivery that takes no time.
    func pass(_ delivery: Delivery) {
        let now = Timestamp.now
        state.withLock { state in
            state.begin(delivery, at: now)
            return state.end(at: now)
        }?.resume()
    }

    /// Returns when so many have ended; with the instants of the first beginning and of the last end.
    func wait(for count: Int) async -> (first: Timestamp, last: Timestamp) {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count < count { (state.waiter, state.goalCount) = (continuation, count) }
                return state.count >= count
            }
            if isThere { continuation.resume() }
        }
        return state.withLock { ($0.first ?? .now, $0.last ?? .now) }
    }

    /// How late each delivery began.
    var lateness: [Duration] { state.withLock { $0.lateness.map { .nanoseconds($0) } } }
}

extension Meter.State {
    fileprivate mutating func begin(_ delivery: Delivery, at now: Timestamp) {
        first = first ?? now
        lateness.append(now.nanoseconds - delivery.due.nanoseconds)
    }

    /// Who waits for this one, if it is the last.
    fileprivate mutating func end(at now: Timestamp) -> CheckedContinuation<Void, Never>? {
        count += 1
        last = max(last ?? now, now)
        guard count == goalCount else { return nil }
        defer { waiter = nil }
        return waiter
    }
}

extension Timestamp {
    /// The wall clock.
    static var now: Timestamp {
        // Not by timespec: whose member that is depends on which module was imported first.
        Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
    }
}
