internal import TminusCore

extension Sink {
    /// One delivery, ended by cancellation when it takes longer than the sink's own limit and a little more.
    ///
    /// The sink keeps its limit itself; this is for one that does not.
    func deliverWithinLimit(_ delivery: Delivery) async -> Result<DeliveryReport, DeliveryError> {
        await withTaskGroup(of: Result<DeliveryReport, DeliveryError>?.self) { group in
            group.addTask {
                do throws(DeliveryError) {
                    return .success(try await deliver(delivery))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeLimit + .seconds(2), clock: .continuous)
                return nil
            }
            var ended: Result<DeliveryReport, DeliveryError>?
            for await result in group {
                ended = ended ?? result
                group.cancelAll()
            }
            return ended ?? .failure(.transient("ended without an answer"))
        }
    }
}
