internal import ServiceLifecycle
internal import Synchronization
internal import TminusSystem

/// Has memory given back that the last work needed and that nobody needs while nothing happens: after a start that is most of it.
final class MemoryUpkeep: Service {
    /// So many schedules written at once leave enough behind.
    static let much = 1_000
    /// How long nothing of the kind is to happen first.
    private static let quiet = Duration.seconds(2)

    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let works = Mutex(0)

    /// Upkeep of a process that has done nothing yet.
    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes note that much was done.
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
