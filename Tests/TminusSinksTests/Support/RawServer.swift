import Foundation
import Glibc
import TminusTestKit

/// A server at which the request of each connection gets the bytes that a test made for it, and then the end of the stream.
final class RawServer: Sendable {
    /// The port on the loopback interface.
    let port: Int
    private let listener: CInt

    /// A server whose connection of that number, from 0, gets these bytes.
    init(_ answer: @escaping @Sendable (Int) -> [UInt8]) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw ConformanceFailure("bind: \(errno)") }
        (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
        Thread.detachNewThread {
            var number = 0
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                Self.serve(connection, answer(number))
                number += 1
            }
            close(listener)
        }
    }

    // Ends the thread's accept(2).
    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    /// Reads a request, writes the answer, and waits for the end of the client: a connection that is closed with something unread is
    /// reset, and the client may lose what it has not read yet.
    private static func serve(_ connection: CInt, _ answer: [UInt8]) {
        defer { close(connection) }
        var limit = timeval(tv_sec: Int(Bounded.limit.components.seconds), tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isWhole(request) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer[..<count]
        }
        var rest = answer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
        shutdown(connection, CInt(SHUT_WR))
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }

    private static func isWhole(_ request: [UInt8]) -> Bool {
        guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.firstRange(of: "content-length: ").flatMap {
            Int(head[$0.upperBound...].prefix { $0.isNumber })
        }
        return request.count - end.upperBound >= length ?? 0
    }
}
