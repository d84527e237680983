import Synchronization
public import TminusCore

/// What the sinks of one test were asked to deliver, and what they answer.
public final class Recording: Sendable {
    /// What a sink does with a delivery.
    public enum Answer: Sendable {
        /// Takes it.
        case deliver
        /// Takes it and reports that.
        case report(DeliveryReport)
        /// Refuses it.
        case fail(DeliveryError)
        /// Does not answer before ``Recording/release()``, or until it is cancelled.
        case hold
        /// As ``hold``, and then refuses it.
        case holdThenFail(DeliveryError)
    }

    private struct State: Sendable {
        var deliveries: [Delivery] = []
        var ended = 0
        var running = 0
        var mostRunning = 0
        var shutdowns = 0
        var releases = 0
        var script: @Sendable (Delivery) -> Answer = { _ in .deliver }
    }

    /// Names the recording in the options of a ``RecordingSink``.
    public let name: String
    private let state = Watched(State())

    // Sinks are made from a file's text, so a test and its sinks can meet only by a name. Weak: a test's recording goes
    // with the test.
    private static let all = Mutex<[String: WeakRecording]>([:])

    /// A recording whose sinks answer by `script`; without one they take everything.
    public init(script: (@Sendable (Delivery) -> Answer)? = nil) {
        name = String(UInt64.random(in: 0 ... .max), radix: 36)
        if let script { answer(script) }
        let entry = WeakRecording(self)
        Self.all.withLock { $0[name] = entry }
    }

    deinit {
        _ = Self.all.withLock { $0.removeValue(forKey: name) }
    }

    static func named(_ name: String) -> Recording? {
        all.withLock { $0[name]?.recording }
    }

    /// A sink of this recording, as a file would declare it.
    public func spec(name sink: String?, directory: String = "/") -> SinkSpec {
        let entry = Node.Entry(key: RecordingSink.kind, value: Node(.scalar(name)))
        return SinkSpec(name: sink, kind: RecordingSink.kind, options: Node(.mapping([entry])), directory: directory)
    }

    /// Every attempt in the order in which it began.
    public var deliveries: [Delivery] { state.value.deliveries }
    /// How many attempts have ended.
    public var ended: Int { state.value.ended }
    /// How many attempts ran at the same time at the most.
    public var mostRunning: Int { state.value.mostRunning }
    /// How many sinks were shut down.
    public var shutdowns: Int { state.value.shutdowns }

    /// Changes what the sinks answer from now on.
    public func answer(_ script: @escaping @Sendable (Delivery) -> Answer) {
        state.update { $0.script = script }
    }

    /// Lets every delivery that is held now go through.
    public func release() {
        state.update { $0.releases += 1 }
    }

    /// Waits until that many attempts have begun; throws if they did not within `limit` of steady time.
    @discardableResult
    public func waitForDeliveries(_ count: Int, upTo limit: Duration = .seconds(600)) async throws -> [Delivery] {
        guard await state.wait(upTo: limit, until: { $0.deliveries.count >= count }) else {
            throw ConformanceFailure("\(deliveries.count) of \(count) deliveries began within \(limit)")
        }
        return deliveries
    }

    /// Waits until that many attempts have ended; throws if they did not within `limit` of steady time.
    public func waitForEnds(_ count: Int, upTo limit: Duration = .seconds(600)) async throws {
        guard await state.wait(upTo: limit, until: { $0.ended >= count }) else {
            throw ConformanceFailure("\(ended) of \(count) deliveries ended within \(limit)")
        }
    }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let (answer, releases) = state.update { state in
            state.deliveries.append(delivery)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            return (state.script(delivery), state.releases)
        }
        defer {
            state.update {
                $0.running -= 1
                $0.ended += 1
            }
        }
        switch answer {
        case .deliver: return .empty
        case .report(let report): return report
        case .fail(let error): throw error
        case .hold:
            try await waitForRelease(after: releases)
            return .empty
        case .holdThenFail(let error):
            try await waitForRelease(after: releases)
            throw error
        }
    }

    private func waitForRelease(after releases: Int) async throws(DeliveryError) {
        // Longer than any test: what ends it is a release or the cancellation.
        let isReleased = await state.wait(upTo: .seconds(3_600)) { $0.releases > releases }
        if !isReleased { throw .transient("cancelled") }
    }

    func shutDown() {
        state.update { $0.shutdowns += 1 }
    }
}

private struct WeakRecording: Sendable {
    weak let recording: Recording?

    init(_ recording: Recording) { self.recording = recording }
}
