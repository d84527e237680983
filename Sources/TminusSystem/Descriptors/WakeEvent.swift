internal import CPlatform
internal import Glibc

/// Wakes a thread that waits for descriptors (eventfd(2)).
package final class WakeEvent: Sendable {
    private let event: Descriptor

    /// An event that is not set; nil if no descriptor is left, with the reason in `errno`.
    package init?() {
        guard let event = Descriptor(tminus_event()) else { return nil }
        self.event = event
    }

    /// Readable from ``wake()`` until ``reset()``.
    package var descriptor: CInt { event.number }

    /// Makes the descriptor readable.
    package func wake() {
        var one: UInt64 = 1
        // Fails only after 2^64 - 1 calls since the last reset, and then the descriptor is readable as well.
        while write(event.number, &one, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }

    /// Makes the descriptor unreadable again.
    package func reset() {
        var count: UInt64 = 0
        while read(event.number, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }
}
