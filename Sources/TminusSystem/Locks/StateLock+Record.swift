internal import Glibc

extension StateLock {
    /// The content of a lock file, a line each: the process id of the owner; its control socket, and whether it is stopping; or
    /// that it stands by, who leads, why its database does not answer, and its configuration directory.
    package struct Record: Sendable {
        let descriptor: Int32

        /// Writes the path of the control socket, and whether the daemon is stopping and takes no more requests.
        package func note(socket path: String, isStopping: Bool) throws(SystemError) {
            try write("\(path)\n" + (isStopping ? "\(Self.stopping)\n" : ""))
        }

        /// Writes that the daemon stands by, and the path of its control socket if it has one; with nil, that it does no longer.
        package func note(_ standby: Standby?, socket path: String? = nil) throws(SystemError) {
            guard let standby else { return try write("") }
            let lines = [path, Self.standsBy, standby.leader, standby.problem, standby.config]
            try write(lines.map { "\(Self.line($0))\n" }.joined())
        }

        private static func line(_ text: String?) -> String {
            String((text ?? "").map { $0.isNewline ? " " : $0 })
        }

        /// Writes the process id and the lines after it.
        func write(_ rest: String) throws(SystemError) {
            let text = Array("\(getpid())\n\(rest)".utf8)
            guard pwrite(descriptor, text, text.count, 0) == text.count,
                ftruncate(descriptor, off_t(text.count)) == 0
            else { throw Self.refusal }
        }

        static let stopping = "stopping"
        static let standsBy = "stands by"

        /// The error of the last system call.
        static var refusal: SystemError { SystemError("cannot write the lock file: \(ErrorText.last)", .io) }
    }
}
