import Glibc
import Testing

@testable import TminusSystem

@Suite("Programs")
struct ProgramTests {
    private let start = ContinuousClock.now
    private let time = FreshPrograms.time

    @Test("one is asked for when its time is over, those after it later, and nobody asks while there is none")
    func order() {
        var fresh = FreshPrograms()
        let isFirst = [
            fresh.add(1, now: start), fresh.add(2, now: start + time / 4), fresh.add(3, now: start + time / 2),
        ]
        #expect(isFirst == [true, false, false])
        let first = fresh.aged(now: start + time) { _ in true }
        #expect(first.numbers == [1] && first.pause == time / 4)
        let both = fresh.aged(now: start + time * 2) { _ in true }
        #expect(both.numbers == [2, 3] && both.pause == nil)
        let isFirstAgain = fresh.add(4, now: start + time * 2)
        #expect(isFirstAgain)
    }

    @Test("one that has ended is forgotten, and nobody asks because of it")
    func ended() {
        var fresh = FreshPrograms()
        for number: UInt64 in 1...3 { _ = fresh.add(number, now: start) }
        let early = fresh.aged(now: start + time / 2) { $0 == 2 }
        #expect(early.numbers.isEmpty && early.pause == time / 2)
        let late = fresh.aged(now: start + time) { _ in false }
        #expect(late.numbers.isEmpty && late.pause == nil)
        let isFirstAgain = fresh.add(4, now: start + time)
        #expect(isFirstAgain)
    }

    @Test("texts are given to the kernel as they are, in their order")
    func texts() {
        var texts = ProgramTexts()
        texts.append("PATHS", "no")
        texts.append("PATH", Array("a:b".utf8))
        texts.append("")
        texts.append("A", [0xFF, 0x41])
        let given = texts.withPointers { pointers in
            (0..<5).map { index in pointers[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
        }
        #expect(given == [Array("PATHS=no".utf8), Array("PATH=a:b".utf8), [], Array("A=".utf8) + [0xFF, 0x41], nil])
        let path = texts.value(of: "PATH") ?? []
        #expect(path.elementsEqual("a:b".utf8))
        #expect(texts.value(of: "PAT") == nil)
        let isEmpty = ProgramTexts().withPointers { $0[0] == nil }
        #expect(isEmpty)
    }

    @Test("the end of a process is noticed where there are no descriptors of processes", arguments: [ENOSYS, EPERM])
    func withoutProcessDescriptors(number: CInt) async throws {
        let pipes = try ProgramPipes()
        let id = try ProgramStart(
            program: "/bin/cat", arguments: [], environment: ProgramTexts(), directory: "/"
        ).spawn(with: pipes).id
        let (input, output, errors) = pipes.takeOurs()
        let end = try #require(
            ProcessEnd.descriptor(of: id) { _ in
                errno = number
                return -1
            })
        var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, 0) == 0)
        close(input)
        #expect(poll(&request, 1, 60_000) == 1)
        var status: CInt = -1
        #expect(waitpid(id, &status, WNOHANG) == id && status == 0)
        for descriptor in [output, errors, end] { close(descriptor) }
    }
}
