internal import ServiceLifecycle
internal import Synchronization
internal import TminusSystem

/// Returns free memory to the kernel after two idle seconds. After a start this is most of the memory in use.
final class MemoryUpkeep: Service {
    /// Writing this many schedules, or answering with this many items, at once leaves enough free memory.
    static let much = 1_000
    /// How long it waits for further work.
    private static let quiet = Duration.seconds(2)

    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let works = Mutex(0)

    /// Upkeep of a process without work so far.
    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Records that much memory was used.
    func worked() {
        works.withLock { $0 += 1 }
        signal.yield()
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in self.signals {
                var seen: Int
                repeat {
                    seen = self.works.withLock(\.self)
                    guard (try? await Task.sleep(for: Self.quiet)) != nil else { return }
                } while seen != self.works.withLock(\.self)
                ProcessMemory.release()
            }
        }
    }
}
