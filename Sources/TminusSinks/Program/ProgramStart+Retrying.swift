import TminusCore
import TminusSystem

extension ProgramStart {
    /// Runs `body`, which starts this program. Tries again for up to `limit` while too many descriptors are open.
    func retrying<Value>(
        within limit: Duration, _ body: () async throws(StartProblem) -> Value
    ) async throws(DeliveryError) -> Value {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(StartProblem) {
                return try await body()
            } catch {
                guard error.isShortOfDescriptors else {
                    throw error.deliveryError(program: program, directory: directory)
                }
            }
            guard ContinuousClock.now < deadline else {
                throw .transient("too many files are open to start a command; raise the limit with 'ulimit -n'")
            }
            // Polls, because no event reports that descriptors become free; this is rare.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .stopped }
        }
    }
}
