internal import Logging
internal import TminusSystem

/// Sends datagrams to the service manager. One that is gone changes nothing.
struct ManagerSender {
    let socket: NotifySocket
    let logger: Logger
    private var problem: String?

    /// How often, and how soon after each other, a datagram is sent that the service manager has no room for.
    private static let tries = 100
    private static let pause = Duration.milliseconds(50)

    /// A sender for a socket.
    init(socket: NotifySocket, logger: Logger) {
        self.socket = socket
        self.logger = logger
    }

    /// Sends datagrams in order. Logs each new reason for a failure once.
    mutating func send(_ datagrams: [String]) async {
        for text in datagrams {
            var result = socket.send(text)
            for _ in 0..<Self.tries where result == .full {
                guard (try? await Task.sleep(for: Self.pause, clock: .continuous)) != nil else { break }
                result = socket.send(text)
            }
            let former = problem
            switch result {
            case .sent: problem = nil
            case .full: problem = "it does not read its socket"
            case .failed(let reason): problem = reason
            }
            guard let problem, problem != former else { continue }
            logger.warning("the service manager cannot be notified", metadata: ["reason": "\(problem)"])
        }
    }
}
