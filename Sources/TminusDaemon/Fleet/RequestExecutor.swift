internal import Foundation
internal import Logging
internal import Synchronization
internal import TminusControl
internal import TminusCore

/// Carries out the requests that followers have forwarded, at the leader's own control socket.
final class RequestExecutor: Sendable {
    private struct State {
        var socket: String?
        /// When each request was begun, by its id.
        var begun: [String: ContinuousClock.Instant] = [:]
    }

    private let store: any FleetStore
    private let logger: Logger
    private let state = Mutex(State())

    /// How long a request may take. It is longer than the longest wait of a route.
    private static let limit = Duration.seconds(3_700)

    /// Carries out the requests of a store.
    init(_ store: any FleetStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The control socket is open at this path.
    func serves(at path: String) { state.withLock { $0.socket = path } }

    /// The ids of the requests that were begun; nil while there is no socket. They stay known after their answer: a database that lost it in
    /// a crash names them again.
    var known: Set<String>? {
        state.withLock { state in
            guard state.socket != nil else { return nil }
            // By then the store has removed them.
            let oldest = ContinuousClock.now - Self.limit * 3
            state.begun = state.begun.filter { $0.value > oldest }
            return Set(state.begun.keys)
        }
    }

    /// Begins with requests. Each result ends when one has been answered.
    func begin(_ requests: [ForwardedRequest]) -> [@Sendable () async -> Void] {
        let socket = state.withLock { state in
            for request in requests { state.begun[request.id] = .now }
            return state.socket
        }
        guard let socket else { return [] }
        return requests.map { request in { [self] in await carryOut(request, at: socket) } }
    }

    private func carryOut(_ request: ForwardedRequest, at socket: String) async {
        let answer = await answer(to: request.text, at: socket)
        let text = String(decoding: (try? ControlJSON.encode(answer)) ?? [], as: UTF8.self)
        repeat {
            do {
                return try await store.recordAnswer(text, to: request.id)
            } catch {
                logger.warning("a forwarded request is not answered yet", metadata: ["reason": "\(error)"])
            }
            try? await Task.sleep(for: Follower.interval, clock: .continuous)
        } while !Task.isCancelled
    }

    private func answer(to text: String, at socket: String) async -> PortableAnswer {
        do {
            let request = try JSONDecoder().decode(PortableRequest.self, from: Data(text.utf8))
            // It is appended to the name of a socket.
            guard request.path.hasPrefix("/") else { throw Problem(.badRequest, "a path begins with '/'") }
            return try await ControlClient.connected(to: socket, for: nil) {
                await $0.carryOut(request, limit: Self.limit)
            }
        } catch let problem as Problem {
            return PortableAnswer(problem)
        } catch let error as ControlFailure {
            return PortableAnswer(Problem(.unavailable, "\(error)"))
        } catch {
            return PortableAnswer(Problem(.badRequest, "the machine that leads cannot read the request: \(error)"))
        }
    }
}
