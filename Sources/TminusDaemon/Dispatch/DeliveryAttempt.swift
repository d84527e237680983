internal import TminusCore

/// How a delivery to a sink ended.
enum AttemptEnd: Sendable {
    /// By what the sink said.
    case answered(Result<DeliveryReport, DeliveryError>)
    /// By the wish to make room for a later occurrence.
    case replaced(DeliveryReport)
}

extension Sink {
    /// One delivery, ended by cancellation when it takes longer than the sink's own limit and a little more, or when `stop` yields.
    ///
    /// The sink keeps its limit itself; this is for one that does not.
    func deliverWithinLimit(_ delivery: Delivery, stop: AsyncStream<Void>? = nil) async -> AttemptEnd {
        await withTaskGroup(of: AttemptEvent.self) { group in
            group.addTask {
                do throws(DeliveryError) {
                    return .answered(.success(try await deliver(delivery)))
                } catch {
                    return .answered(.failure(error))
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeLimit + .seconds(2), clock: .continuous)
                return .timeIsOver
            }
            if let stop {
                group.addTask {
                    for await _ in stop { return .stopped }
                    return .none
                }
            }
            var ended: Result<DeliveryReport, DeliveryError>?
            var isStopped = false
            for await event in group {
                switch event {
                case .answered(let result): ended = ended ?? result
                case .stopped: isStopped = true
                case .timeIsOver: break
                case .none: continue
                }
                group.cancelAll()
            }
            let result = ended ?? .failure(.transient("ended without an answer"))
            if isStopped, case .failure(let error) = result { return .replaced(error.report) }
            return .answered(result)
        }
    }
}

/// What may happen to a delivery that runs.
private enum AttemptEvent: Sendable {
    case answered(Result<DeliveryReport, DeliveryError>)
    case timeIsOver
    case stopped
    case none
}
