import Foundation
import Glibc
import Synchronization
import TminusTestKit

/// A notify socket as the service manager makes it (sd_notify(3)), which collects the datagrams.
final class NotifyReceiver: Sendable {
    /// A datagram and its arrival time.
    struct Datagram: Sendable {
        var text: String
        var arrival: ContinuousClock.Instant
        /// The value of a variable, such as `MONOTONIC_USEC`.
        func value(_ name: String) -> String? {
            text.split(separator: "\n").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        }
    }

    /// The path of the socket.
    let path: String
    /// Nil once the service manager has left: the number may belong to another test by then.
    private let descriptor: Mutex<CInt?>
    private let datagrams = Watched<[Datagram]>([])

    /// Creates the socket in the directory of a test.
    init(in scratch: Scratch) throws {
        path = "\(scratch.path)/notify"
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = Mutex(descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw Waiting.Vain(what: "a socket at \(path)", seen: []) }
        let datagrams = datagrams
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                // Zero: the socket was shut down.
                guard count > 0 else { break }
                let text = String(decoding: buffer.prefix(count), as: UTF8.self)
                datagrams.update { $0.append(Datagram(text: text, arrival: .now)) }
            }
            close(descriptor)
        }
    }

    deinit { leave() }

    /// Ends the service manager: the socket goes, as if it had crashed.
    func leave() {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        unlink(path)
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// The environment of a service with this socket, and more variables.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        Program.environment.merging(["NOTIFY_SOCKET": path]) { $1 }.merging(more) { $1 }
    }

    /// All datagrams so far.
    var all: [Datagram] { datagrams.value }
    /// The texts of all datagrams so far that are not of the watchdog.
    var texts: [String] { all.map(\.text).filter { $0 != Self.ping } }
    /// The arrivals of the datagrams of the watchdog.
    var pings: [ContinuousClock.Instant] { all.filter { $0.text == Self.ping }.map(\.arrival) }

    private static let ping = "WATCHDOG=1"

    /// Waits until so many datagrams have come that are not of the watchdog, and returns them.
    @discardableResult
    func texts(_ count: Int) async throws -> [String] {
        try await wait("\(count) datagrams") { $0.filter { $0.text != Self.ping }.count >= count }
        return Array(texts.prefix(count))
    }

    /// Waits for a datagram.
    func datagram(_ text: String) async throws {
        try await wait(text) { $0.contains { $0.text == text } }
    }

    /// Waits until so many datagrams of the watchdog have come.
    func pings(_ count: Int) async throws {
        try await wait("\(count) pings") { $0.filter { $0.text == Self.ping }.count >= count }
    }

    private func wait(_ what: String, until isSatisfied: @escaping @Sendable ([Datagram]) -> Bool) async throws {
        guard await datagrams.wait(upTo: Waiting.limit, until: isSatisfied) else {
            throw Waiting.Vain(what: what, seen: all.map(\.text))
        }
    }
}
