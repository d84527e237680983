import Glibc
import Synchronization
import TminusCore

/// The right to start a command, which only as many have at once as there are descriptors for.
///
/// A start that runs out of descriptors half-way would end the whole process: swift-subprocess 1.0.2 has a fatal error in the
/// `deinit` of a descriptor that a failed start leaves open. So a command waits until there are enough.
final class StartPass: Sendable {
    /// What a start may need at once: three pipes, one for its errors, the process, what closes the others.
    private static let descriptorsForOne: UInt = 16
    /// With a limit that high the lanes of the dispatcher are the tighter bound.
    private static let enoughForAll: UInt = 32_768
    private static let starting = Mutex<UInt>(0)

    private let isOver = Atomic(false)

    private init() {}

    deinit { end() }

    /// Waits for room for one more start, at the most for `limit`.
    static func wait(upTo limit: Duration) async throws(DeliveryError) -> StartPass {
        let deadline = ContinuousClock.now + limit
        while !enter() {
            guard ContinuousClock.now < deadline else {
                throw .transient("too many files are open to start a command; raise the limit with 'ulimit -n'")
            }
            // Rare, and there is no event for descriptors that others close.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .stopped }
        }
        return StartPass()
    }

    /// The command runs, or did not start: what it needs is counted among the open descriptors now.
    func end() {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        Self.starting.withLock { $0 -= 1 }
    }

    private static func enter() -> Bool {
        starting.withLock { starting in
            guard hasRoom(for: starting + 1) else { return false }
            starting += 1
            return true
        }
    }

    private static func hasRoom(for starts: UInt) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
        let most = UInt(limit.rlim_cur)
        if most >= enoughForAll { return true }
        guard let open = openCount() else { return false }
        return open + starts * descriptorsForOne <= most
    }

    /// How many descriptors this process has open; nil if there is not even one left to count them with.
    private static func openCount() -> UInt? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count: UInt = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
