import Foundation
import Glibc
import Testing

@testable import TminusSystem

@Suite("Notify socket")
struct NotifySocketTests {
    /// A socket as the service manager makes it.
    private final class Receiver {
        let descriptor: CInt

        init(_ address: UnixAddress) throws {
            descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            let isBound = address.with { bind(descriptor, $0, $1) } == 0
            try #require(isBound, "\(ErrorText.last)")
        }

        deinit { close(descriptor) }

        /// The next datagram, which is there already; nil if there is none.
        func next() -> String? {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    private let path = NSTemporaryDirectory() + "tm-notify-" + UUID().uuidString.prefix(8)

    @Test("one text is one datagram, at a path and at an abstract name")
    func sends() throws {
        let name = "tminus-test-\(UUID().uuidString)"
        defer { unlink(path) }
        let receivers = [
            (path, try Receiver(try #require(UnixAddress(path: path)))),
            ("@\(name)", try Receiver(try #require(UnixAddress(abstract: name)))),
        ]
        for (name, receiver) in receivers {
            let socket = try NotifySocket(name)
            #expect(socket.send("READY=1\nSTATUS=a") == .sent)
            #expect(socket.send("WATCHDOG=1") == .sent)
            #expect(receiver.next() == "READY=1\nSTATUS=a")
            #expect(receiver.next() == "WATCHDOG=1")
            #expect(receiver.next() == nil)
        }
    }

    @Test("a socket that is gone fails, and one that was made anew is found")
    func gone() throws {
        defer { unlink(path) }
        let socket = try NotifySocket(path)
        #expect(socket.send("READY=1") == .failed("No such file or directory"))
        do { _ = try Receiver(try #require(UnixAddress(path: path))) }
        #expect(socket.send("READY=1") == .failed("Connection refused"))
        unlink(path)
        let receiver = try Receiver(try #require(UnixAddress(path: path)))
        #expect(socket.send("READY=1") == .sent)
        #expect(receiver.next() == "READY=1")
    }

    @Test("a socket that nobody reads is full and does not block")
    func full() throws {
        defer { unlink(path) }
        let receiver = try Receiver(try #require(UnixAddress(path: path)))
        let socket = try NotifySocket(path)
        var count = 0
        while socket.send("WATCHDOG=1") == .sent { count += 1 }
        #expect(count > 0 && socket.send("WATCHDOG=1") == .full)
        #expect(receiver.next() != nil)
        #expect(socket.send("WATCHDOG=1") == .sent)
    }

    @Test(
        "a name that is no path and not abstract is refused",
        arguments: ["", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 107)])
    func refused(name: String) {
        #expect(throws: SystemError.self) { try NotifySocket(name) }
    }

    @Test("the longest path is usable")
    func longest() throws {
        let directory = "/tmp/tm-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/" + String(repeating: "x", count: UnixSocket.longestPath - directory.utf8.count - 1)
        let receiver = try Receiver(try #require(UnixAddress(path: path)))
        #expect(try NotifySocket(path).send("READY=1") == .sent)
        #expect(receiver.next() == "READY=1")
    }
}

@Suite("Environment of a service")
struct ServiceEnvironmentTests {
    private static let socket = ["NOTIFY_SOCKET": "/run/notify"]

    private func limit(_ variables: [String: String]) -> Duration? {
        ServiceEnvironment(variables, process: 42).watchdogLimit
    }

    @Test("without NOTIFY_SOCKET nothing is armed", arguments: [nil, ""])
    func bare(socket: String?) {
        var variables = ["WATCHDOG_USEC": "1000"]
        variables["NOTIFY_SOCKET"] = socket
        #expect(ServiceEnvironment(variables, process: 42) == ServiceEnvironment())
    }

    @Test("the watchdog is meant for this process if WATCHDOG_PID names it or is not set")
    func process() {
        let usual = Self.socket.merging(["WATCHDOG_USEC": "120000000"]) { $1 }
        #expect(limit(usual) == .seconds(120))
        #expect(limit(usual.merging(["WATCHDOG_PID": "42"]) { $1 }) == .seconds(120))
        #expect(limit(usual.merging(["WATCHDOG_PID": "43"]) { $1 }) == nil)
        #expect(limit(usual.merging(["WATCHDOG_PID": ""]) { $1 }) == nil)
    }

    @Test("a limit that is no number above zero is none", arguments: ["", "0", "-1", "2min", "99999999999999999999"])
    func malformed(text: String) {
        let environment = ServiceEnvironment(Self.socket.merging(["WATCHDOG_USEC": text]) { $1 }, process: 42)
        #expect(environment.watchdogLimit == nil && environment.notifySocket == "/run/notify")
    }

    @Test("TMINUS_PROFILE names the profile of the unit; other texts are ignored")
    func profile() {
        let profiles = ["strict", "commands", "", "lax"].map {
            ServiceEnvironment(["TMINUS_PROFILE": $0], process: 1).profile
        }
        #expect(profiles == [.strict, .commands, nil, nil])
    }
}

@Suite("Timers by the monotonic clock", .timeLimit(.minutes(20)))
struct SteadyTimerTests {
    @Test("a timer rings once, not before its time, and again when it is set again; not after it is cancelled")
    func rings() async throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let (rings, ring) = AsyncStream.makeStream(of: Void.self)
        let timer = try SteadyTimer(on: thread) { ring.yield() }
        var iterator = rings.makeAsyncIterator()
        for milliseconds in [20, 1] {
            let deadline = ContinuousClock.now + .milliseconds(milliseconds)
            timer.set(after: .milliseconds(milliseconds))
            await iterator.next()
            #expect(ContinuousClock.now >= deadline)
        }
        timer.cancel()
        timer.set(after: .milliseconds(1))
        ring.finish()
        #expect(await iterator.next() == nil)
    }
}
