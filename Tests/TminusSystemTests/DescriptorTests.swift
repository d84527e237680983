import Glibc
import Testing

@testable import TminusSystem

@Suite("Descriptors")
struct DescriptorTests {
    private func isReadable(_ descriptor: CInt) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    @Test("a wake event is readable from a wake to a reset, however often it was woken")
    func waking() throws {
        let event = try #require(WakeEvent())
        #expect(!isReadable(event.descriptor))
        for _ in 0..<3 { event.wake() }
        #expect(isReadable(event.descriptor))
        event.reset()
        #expect(!isReadable(event.descriptor))
        // Without anything to reset it returns all the same.
        event.reset()
    }

    @Test("a poller reports what was asked for: always, once, or at each change")
    func polling() throws {
        guard let poller = Poller(), let always = WakeEvent(), let once = WakeEvent(), let edge = WakeEvent() else {
            throw SystemError("no descriptors are left", .io)
        }
        let isAdded = [
            poller.add(always.descriptor, key: 1), poller.add(once.descriptor, .readingOnce, key: 2),
            poller.add(edge.descriptor, .readingEdge, key: 3),
        ]
        #expect(isAdded == [true, true, true])
        func ready() -> Set<UInt64> {
            var keys = [UInt64](repeating: 0, count: 8)
            let count = poller.wait(into: &keys, milliseconds: 0)
            return Set(keys.prefix(count))
        }
        #expect(ready() == [])
        for event in [always, once, edge] { event.wake() }
        #expect(ready() == [1, 2, 3])
        #expect(ready() == [1])
        for event in [always, once, edge] { event.wake() }
        #expect(ready() == [1, 3])
        poller.remove(always.descriptor)
        #expect(ready() == [])
    }

    @Test("the text of an error is that of the C library")
    func errorTexts() {
        #expect(ErrorText.of(ENOENT) == "No such file or directory")
        errno = EACCES
        #expect(ErrorText.last == "Permission denied")
    }
}
