import ChildProcessSupport
import Foundation
import Glibc
import Testing
import TminusTestKit

@Suite("Programs of tests")
struct ChildProcessTests {
    @Test("a program gets no descriptor that was not meant for it")
    func descriptors() throws {
        var (leaked, output): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        try #require(pipe(&leaked) == 0 && pipe(&output) == 0)
        defer { for end in leaked + [output[0]] { close(end) } }
        // `ls` opens the directory itself.
        let process = try ChildProcess.start(["ls", "/proc/self/fd"], descriptors: [STDOUT_FILENO: output[1]])
        close(output[1])
        let text = FileHandle(fileDescriptor: output[0]).readDataToEndOfFile()
        #expect(ChildProcess.wait(for: process) == 0)
        #expect(String(decoding: text, as: UTF8.self) == "0\n1\n2\n3\n")
    }
}
