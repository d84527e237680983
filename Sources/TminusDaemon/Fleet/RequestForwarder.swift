internal import Foundation
internal import Synchronization
internal import TminusControl
internal import TminusCore

/// Has the leader carry out the requests that come to a daemon that stands by. They go through the store, because machines reach
/// nothing else of each other.
final class RequestForwarder: Sendable {
    /// How long a leader may take to begin with a request, and the store may be silent. Clients wait for ten seconds.
    private static let patience = Duration.seconds(8)
    /// How often the store is asked for an answer, in case its notification was lost.
    private static let interval = Duration.seconds(1)
    /// How many requests may be under way.
    private static let capacity = 64

    private struct State {
        var store: (any FleetStore)?
        var isOver = false
        /// The bells of the requests that are under way, by their ids.
        var bells: [String: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Forwards through this store from now on; with nil, refuses.
    func use(_ store: (any FleetStore)?) { state.withLock { $0.store = store } }

    /// There may be answers.
    func look() { for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() } }

    /// This daemon stands by no longer. Each request ends, and is withdrawn if no leader has taken it.
    func stop() {
        state.withLock { $0.isOver = true }
        look()
    }

    /// The answer of the leader to a request. If the task is cancelled, the request is withdrawn, unless the leader has taken it.
    ///
    /// - Throws: A ``Problem`` that says whether the request may have been carried out, if the leader does not answer.
    func answer(to request: PortableRequest) async throws -> PortableAnswer {
        let begun = ContinuousClock.now
        let id = String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let store = try enter(id, bell)
        let ticks = Task {
            while !Task.isCancelled {
                bell.yield()
                try? await Task.sleep(for: Self.interval, clock: .continuous)
            }
        }
        defer {
            ticks.cancel()
            state.withLock { _ = $0.bells.removeValue(forKey: id) }
        }
        let text = String(decoding: try ControlJSON.encode(request), as: UTF8.self)
        do {
            try await store.forward(ForwardedRequest(id: id, text: text))
            let answer = try await answer(to: id, since: begun, bells)
            try? await store.deleteAnswered(id)
            return try JSONDecoder().decode(PortableAnswer.self, from: Data(answer.utf8))
        } catch let problem as Problem {
            throw problem
        } catch {
            _ = try? await store.withdraw(id)
            try? await store.deleteAnswered(id)
            throw Problem(.unavailable, "\(error); \(Self.doubt)")
        }
    }

    private func enter(_ id: String, _ bell: AsyncStream<Void>.Continuation) throws(Problem) -> any FleetStore {
        let (store, isFull) = state.withLock { state in
            let isFull = state.bells.count >= Self.capacity
            if !isFull, !state.isOver, state.store != nil { state.bells[id] = bell }
            return (state.isOver ? nil : state.store, isFull)
        }
        guard let store else {
            throw Problem(
                .unavailable, "this daemon stands by and has no connection to the database; \(Self.unchanged)")
        }
        guard !isFull else {
            throw Problem(.unavailable, "\(Self.capacity) requests wait for the machine that leads; \(Self.unchanged)")
        }
        return store
    }

    /// The text of the answer.
    private func answer(
        to id: String, since begun: ContinuousClock.Instant, _ bells: AsyncStream<Void>
    ) async throws -> String {
        var heard = begun
        for await _ in bells {
            let (store, isOver) = state.withLock { ($0.store, $0.isOver) }
            // A store that refuses is asked again, also after it was opened anew.
            if let store, let found = try? await store.state(ofForwarded: id) {
                heard = .now
                switch found {
                case .answered(let text): return text
                case .lost: throw Problem(.unavailable, "the daemon that led ended before it answered; \(Self.doubt)")
                case .waiting where isOver || begun.duration(to: heard) > Self.patience:
                    guard try await store.withdraw(id) else { break }
                    let reason = isOver ? "this daemon takes over" : "the machine that leads did not take the request"
                    throw Problem(.unavailable, "\(reason); \(Self.unchanged)")
                case .waiting, .taken: break
                }
            }
            if isOver { throw Problem(.unavailable, "this daemon takes over; \(Self.doubt)") }
            if heard.duration(to: .now) > Self.patience {
                throw Problem(.unavailable, "the database does not answer; \(Self.doubt)")
            }
        }
        throw CancellationError()
    }

    private static let unchanged = "nothing was changed: try again later"
    private static let doubt = "the request may or may not have been carried out"
}
