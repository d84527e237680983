internal import Foundation
internal import Synchronization
internal import TminusControl
internal import TminusCore

/// Has the leader carry out the requests that come to a daemon that stands by. They go through the store, because machines reach
/// nothing else of each other.
final class RequestForwarder: Sendable {
    /// How long a leader may take to begin with a request. Clients wait for ten seconds.
    private static let patience = Duration.seconds(8)
    /// How long a leader may take to answer. The store keeps a request for longer.
    private static let limit = Duration.seconds(600)
    /// How often the store is asked for an answer of which it does not tell.
    private static let interval = Duration.seconds(1)
    /// How many requests may be under way.
    private static let capacity = 64

    private struct State {
        var store: (any FleetStore)?
        var isOver = false
        var bells: [String: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Forwards through this store from now on; with nil, refuses.
    func use(_ store: (any FleetStore)?) { state.withLock { $0.store = store } }

    /// There may be answers.
    func look() { for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() } }

    /// This daemon stands by no longer. What no leader has taken is withdrawn.
    func stop() {
        state.withLock { $0.isOver = true }
        look()
    }

    /// The answer of the leader to a request.
    ///
    /// - Throws: A ``Problem`` that says whether the request may have been carried out, if the leader does not answer.
    func answer(to request: PortableRequest) async throws -> PortableAnswer {
        let id = String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let store = try enter(id, bell)
        defer { state.withLock { _ = $0.bells.removeValue(forKey: id) } }
        let text = String(decoding: try ControlJSON.encode(request), as: UTF8.self)
        do {
            try await store.forward(ForwardedRequest(id: id, text: text))
        } catch {
            throw Problem(.unavailable, "the database does not answer; \(Self.doubt) (\(error.message))")
        }
        let ticks = Task {
            while !Task.isCancelled {
                bell.yield()
                try? await Task.sleep(for: Self.interval, clock: .continuous)
            }
        }
        defer { ticks.cancel() }
        return try await answer(to: id, in: store, bells)
    }

    private func enter(_ id: String, _ bell: AsyncStream<Void>.Continuation) throws(Problem) -> any FleetStore {
        let (store, isFull) = state.withLock { state in
            let isFull = state.bells.count >= Self.capacity
            if !isFull, !state.isOver { state.bells[id] = bell }
            return (state.isOver ? nil : state.store, isFull)
        }
        if isFull {
            throw Problem(.unavailable, "\(Self.capacity) requests wait for the machine that leads; try again later")
        }
        guard let store else {
            state.withLock { _ = $0.bells.removeValue(forKey: id) }
            throw Problem(.unavailable, "this daemon cannot reach the machine that leads; try again later")
        }
        return store
    }

    private func answer(
        to id: String, in store: any FleetStore, _ bells: AsyncStream<Void>
    ) async throws -> PortableAnswer {
        let begun = ContinuousClock.now
        for await _ in bells {
            // A store that refuses now is asked again.
            guard let found = try? await store.state(ofForwarded: id) else {
                if begun.duration(to: .now) > Self.patience { break }
                continue
            }
            let isOver = state.withLock(\.isOver)
            switch found {
            case .answered(let text):
                try? await store.withdraw(id)
                return try JSONDecoder().decode(PortableAnswer.self, from: Data(text.utf8))
            case .lost: throw Problem(.unavailable, "the daemon that led ended before it answered; \(Self.doubt)")
            case .taken where isOver || begun.duration(to: .now) > Self.limit:
                throw Problem(.unavailable, "the machine that leads has not answered; \(Self.doubt)")
            case .waiting where isOver || begun.duration(to: .now) > Self.patience:
                guard try await store.withdraw(id) else { continue }
                throw Problem(
                    .unavailable,
                    isOver
                        ? "this daemon ends to stand by; nothing was changed: run the command again"
                        : "no machine leads now; nothing was changed: try again later")
            case .waiting, .taken: break
            }
        }
        throw Problem(.unavailable, "the database does not answer; \(Self.doubt)")
    }

    private static let doubt = "the request may or may not have been carried out: check with 'tminus show'"
}
