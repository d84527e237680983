internal import Foundation
internal import Logging
internal import Synchronization
internal import TminusControl
internal import TminusCore

/// Carries out the requests that followers have forwarded, at the leader's own control socket.
final class ForwardedRequests: Sendable {
    private let store: any FleetStore
    private let logger: Logger
    private let state = Mutex((socket: String?.none, known: Set<String>()))

    /// How long a request may take.
    private static let limit = Duration.seconds(600)

    /// Those of a store. Until the socket is known, requests wait.
    init(_ store: any FleetStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The control socket is at this path.
    func serves(at path: String) { state.withLock { $0.socket = path } }

    /// The ids of requests that are under way.
    var known: Set<String> { state.withLock(\.known) }

    /// Begins with requests; the result ends when they have been answered.
    func begin(_ requests: [ForwardedRequest]) -> [@Sendable () async -> Void] {
        let socket = state.withLock { state in
            if state.socket != nil { state.known.formUnion(requests.map(\.id)) }
            return state.socket
        }
        guard let socket else { return [] }
        return requests.map { request in { [self] in await carryOut(request, at: socket) } }
    }

    private func carryOut(_ request: ForwardedRequest, at socket: String) async {
        let answer = await answer(to: request.text, at: socket)
        let text = String(decoding: (try? ControlJSON.encode(answer)) ?? [], as: UTF8.self)
        // It stays known until it is answered, because the store names it until then, and it must not be carried out twice.
        while !Task.isCancelled {
            do {
                try await store.answer(request.id, with: text)
                state.withLock { _ = $0.known.remove(request.id) }
                return
            } catch {
                logger.warning("a forwarded request is not answered yet", metadata: ["reason": "\(error)"])
            }
            try? await Task.sleep(for: Follower.interval, clock: .continuous)
        }
    }

    private func answer(to text: String, at socket: String) async -> PortableAnswer {
        do {
            let request = try JSONDecoder().decode(PortableRequest.self, from: Data(text.utf8))
            // It is appended to the name of a socket.
            guard request.path.hasPrefix("/") else { throw Problem(.badRequest, "a path begins with '/'") }
            return try await ControlClient.connected(to: socket, for: nil) {
                await $0.answer(to: request, limit: Self.limit)
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
