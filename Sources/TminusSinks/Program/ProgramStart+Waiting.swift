import Dispatch
import TminusCore

extension ProgramStart {
    /// Starts the program on `queue`; waits up to `limit` while too many descriptors are open.
    ///
    /// - Parameter input: All of its standard input; nil: it comes by ``RunningProgram/write(_:)``.
    func running(
        on queue: DispatchQueue, within limit: Duration, input: [UInt8]? = nil, output: @escaping RunningProgram.Reader,
        errors: @escaping RunningProgram.Reader
    ) async throws(DeliveryError) -> RunningProgram {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(StartProblem) {
                return try await RunningProgram.start(self, input: input, on: queue, output: output, errors: errors)
            } catch {
                guard error.isShortOfDescriptors else {
                    throw StartFailure.describe(error, program: program, directory: directory)
                }
            }
            guard ContinuousClock.now < deadline else {
                throw .transient("too many files are open to start a command; raise the limit with 'ulimit -n'")
            }
            // Rare, and there is no event for descriptors that others close.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .stopped }
        }
    }
}
