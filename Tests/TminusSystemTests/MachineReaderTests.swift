import Foundation
import Glibc
import Testing

@testable import TminusSystem

/// Each reader of the system beside another way to the same value.
@Suite("Readers of this machine")
struct MachineReaderTests {
    private func output(_ program: String, _ arguments: [String]) throws -> String {
        let (process, pipe) = (Process(), Foundation.Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("the limits of inotify are the narrower one of the machine's and the namespace's, with its name")
    func inotify() throws {
        func value(_ path: String) -> Int? {
            (try? String(contentsOfFile: path, encoding: .utf8)).flatMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        for (what, setting) in [("watches", SystemLimits.watches), ("instances", SystemLimits.instances)] {
            let machine = value("/proc/sys/fs/inotify/max_user_\(what)")
            let space = value("/proc/sys/user/max_inotify_\(what)")
            #expect(setting?.value == [machine, space].compactMap(\.self).min(), "\(what)")
            let path = setting.map { "/proc/sys/" + $0.name.replacing(".", with: "/") }
            #expect(path.flatMap(value) == setting?.value, "\(what)")
        }
    }

    @Test("the descriptors of a process are its hard limit; unlimited and a missing process are known")
    func descriptors() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(SystemLimits.descriptors(of: getpid()) == Int(clamping: limit.rlim_max))
        #expect(SystemLimits.descriptors(of: Int32.max) == nil)
        let text = "Limit  Soft Limit  Hard Limit  Units\nMax open files   1024    unlimited   files\n"
        #expect(SystemLimits.descriptors(in: Array(text.utf8)) == .max)
        #expect(SystemLimits.descriptors(in: Array("Max open files 1\n".utf8)) == nil)
    }

    @Test("whether the clock is synchronised is what adjtimex(2) says")
    func clock() throws {
        // `struct timex` has its status after modes, offset, freq, maxerror and esterror.
        let script = """
            import ctypes, struct
            timex = ctypes.create_string_buffer(512)
            state = ctypes.CDLL(None).adjtimex(timex)
            print(state >= 0 and state != 5 and not struct.unpack_from('i', timex, 40)[0] & 0x40)
            """
        let expected = try output("python3", ["-c", script])
        #expect(ClockSynchronisation.isInForce == (expected == "True"))
    }

    @Test("the environment and the user of a process are those with which it was started")
    func environment() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cat")
        process.environment = ["A": "b=c", "EMPTY": "", "NAME": "ä"]
        let (input, output) = (Foundation.Pipe(), Foundation.Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer { process.terminate() }
        // Its environment is empty until it runs.
        try input.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        #expect(try output.fileHandleForReading.read(upToCount: 1) == Data("x".utf8))
        let id = process.processIdentifier
        #expect(ProcessEnvironment.of(id) == ["A": "b=c", "EMPTY": "", "NAME": "ä"])
        #expect(ProcessEnvironment.user(of: id) == geteuid())
        #expect(!ProcessEnvironment.isSameProgram(id) && ProcessEnvironment.isSameProgram(getpid()))
        #expect(ProcessEnvironment.of(Int32.max) == nil && ProcessEnvironment.user(of: Int32.max) == nil)
        #expect(!ProcessEnvironment.isSameProgram(Int32.max))
    }

    @Test("owner and mode are those of the file that a link leads to; sticky directories are safe")
    func access() throws {
        let directory = NSTemporaryDirectory() + "tminus-access-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try #require(chmod(directory, 0o1777) == 0)
        let open = try #require(FileAccess(at: directory))
        #expect(open.isDirectory && open.mode == 0o1777 && open.owner == geteuid() && !open.isWritableByAll)
        try #require(chmod(directory, 0o777) == 0)
        #expect(FileAccess(at: directory)?.isWritableByAll == true)
        let (file, link) = ("\(directory)/file", "\(directory)/link")
        try Data().write(to: URL(fileURLWithPath: file))
        try #require(chmod(file, 0o1642) == 0 && symlink(file, link) == 0)
        let linked = try #require(FileAccess(at: link))
        #expect(!linked.isDirectory && linked.isWritableByAll && !linked.isReadableByAll)
        #expect(FileAccess(at: "\(directory)/gone") == nil)
    }

    @Test("a server that listens has no problem; a closed port and an unknown name have one", .timeLimit(.minutes(20)))
    func network() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, raw, &size) == 0
            }
        }
        try #require(port)
        let number = Int(UInt16(bigEndian: address.sin_port))
        func problem(_ host: String) -> NetworkProbe.Problem? {
            NetworkProbe.problem(host: host, port: number, limit: .seconds(20))
        }
        #expect(problem("127.0.0.1") == nil)
        close(listener)
        #expect(problem("127.0.0.1") == .noConnection("Connection refused"))
        #expect(problem("[::1]") != nil)
        guard case .noAddress(let reason)? = problem("no-such-name.invalid") else {
            Issue.record("the name has an address")
            return
        }
        #expect(!reason.isEmpty)
    }
}
