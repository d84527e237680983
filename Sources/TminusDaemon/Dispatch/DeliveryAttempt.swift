internal import TminusCore

/// How a delivery to a sink ended.
enum AttemptEnd: Sendable {
    /// By what the sink said.
    case answered(Result<DeliveryReport, DeliveryError>)
    /// By the wish to make room for a later occurrence.
    case replaced(DeliveryReport)
}

extension Sink {
    /// One delivery, ended by cancellation of the task, or by the wish of `stop`.
    func attempt(_ delivery: Delivery, stop: AttemptStop?) async -> AttemptEnd {
        if let stop { return await attempt(delivery, until: stop) }
        // As `outcome(of:)`, without the frame of one more async function: nearly every delivery comes this way.
        do throws(DeliveryError) {
            return .answered(.success(try await deliver(delivery)))
        } catch {
            return .answered(.failure(error))
        }
    }

    private func attempt(_ delivery: Delivery, until stop: AttemptStop) async -> AttemptEnd {
        await withTaskGroup(of: AttemptEvent.self) { group in
            group.addTask { .answered(await outcome(of: delivery)) }
            group.addTask {
                for await _ in stop.wishes { return .stopped }
                return .none
            }
            var ended: Result<DeliveryReport, DeliveryError>?
            var isStopped = false
            for await event in group {
                switch event {
                case .answered(let result): ended = ended ?? result
                case .stopped: isStopped = true
                case .none: continue
                }
                group.cancelAll()
            }
            let result = ended ?? .failure(.transient("ended without an answer"))
            if isStopped, case .failure(let error) = result { return .replaced(error.report) }
            return .answered(result)
        }
    }

    private func outcome(of delivery: Delivery) async -> Result<DeliveryReport, DeliveryError> {
        do throws(DeliveryError) {
            return .success(try await deliver(delivery))
        } catch {
            return .failure(error)
        }
    }
}

/// What may happen to a delivery that runs and can be replaced.
private enum AttemptEvent: Sendable {
    case answered(Result<DeliveryReport, DeliveryError>)
    case stopped
    case none
}
