internal import TminusCore

/// Sends requests for definitions without a file to the loader.
final class LoaderClient: DefinitionControl {
    /// A request, with the continuation that gets its answer.
    enum Request: Sendable {
        case add([UInt8], by: String, CheckedContinuation<Result<DefinitionID, DefinitionRefusal>, Never>)
        case remove(DefinitionID, CheckedContinuation<Result<Void, DefinitionRefusal>, Never>)
        /// Remove definitions that have been over for long.
        case forget([DefinitionID])

        /// Refuses the request, because the loader has ended.
        func refuse() {
            let refusal = DefinitionRefusal.unwritten(reason: "the daemon is stopping")
            switch self {
            case .add(_, _, let reply): reply.resume(returning: .failure(refusal))
            case .remove(_, let reply): reply.resume(returning: .failure(refusal))
            case .forget: break
            }
        }
    }

    private let loader: Mailbox<LoaderInput>

    /// A client of the loader with that mailbox.
    init(_ loader: Mailbox<LoaderInput>) {
        self.loader = loader
    }

    func add(_ document: [UInt8], by: String) async throws(DefinitionRefusal) -> DefinitionID {
        try await withCheckedContinuation { ask(.add(document, by: by, $0)) }.get()
    }

    func remove(_ id: DefinitionID) async throws(DefinitionRefusal) {
        try await withCheckedContinuation { ask(.remove(id, $0)) }.get()
    }

    /// Removes definitions that are over.
    func forget(_ ids: [DefinitionID]) { ask(.forget(ids)) }

    private func ask(_ request: Request) {
        if !loader.send(.request(request)) { request.refuse() }
    }
}
