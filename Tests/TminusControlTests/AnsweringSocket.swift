import Foundation
import Glibc

/// A Unix socket at which every request gets the same bytes as its answer.
final class AnsweringSocket: Sendable {
    /// Where it listens.
    let path: String
    private let listener: CInt

    /// The system refused a socket.
    struct Unavailable: Error {}

    init(_ answer: String) throws {
        let path = NSTemporaryDirectory() + "tminus-\(UUID().uuidString.prefix(8)).sock"
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        (self.path, self.listener) = (path, listener)
        guard isBound, listen(listener, 8) == 0 else { throw Unavailable() }
        let bytes = Array(answer.utf8)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                var request = [UInt8](repeating: 0, count: 4096)
                if read(connection, &request, request.count) > 0 {
                    _ = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL))
                }
                close(connection)
            }
            close(listener)
        }
    }

    deinit {
        // Ends the thread's accept(2).
        shutdown(listener, CInt(SHUT_RDWR))
        unlink(path)
    }
}
