internal import Glibc

extension StateLock {
    /// What the owner of a lock writes into its file: its process id, its control socket, and whether it is stopping; a line each.
    package struct Record: Sendable {
        let descriptor: Int32

        /// Says where its control socket is, and whether it no longer takes requests because it ends.
        package func note(socket path: String, isStopping: Bool) throws(SystemError) {
            try write("\(path)\n" + (isStopping ? "\(Self.stopping)\n" : ""))
        }

        /// Writes the process id and what follows it.
        func write(_ rest: String) throws(SystemError) {
            let text = Array("\(getpid())\n\(rest)".utf8)
            guard pwrite(descriptor, text, text.count, 0) == text.count,
                ftruncate(descriptor, off_t(text.count)) == 0
            else { throw Self.refusal }
        }

        static let stopping = "stopping"

        /// That the last call failed.
        static var refusal: SystemError { SystemError("cannot write the lock file: \(errnoText())", .io) }
    }
}
