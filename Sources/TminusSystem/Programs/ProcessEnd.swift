internal import CPlatform
internal import Dispatch
import Glibc

/// A descriptor that reports the end of a process.
enum ProcessEnd {
    /// A descriptor that becomes readable, or is closed at its other end, when the process has ended; nil with the
    /// reason in `errno`.
    ///
    /// The process must be a child that nothing else reaps meanwhile. Tests use `opensProcess` to simulate a kernel or
    /// container without pidfd_open(2).
    static func descriptor(of process: pid_t, opensProcess: (pid_t) -> CInt = tminus_process_descriptor) -> CInt? {
        let number = opensProcess(process)
        if let descriptor = Descriptor(number) { return descriptor.take() }
        guard errno == ENOSYS || errno == EPERM || errno == EINVAL else { return nil }
        guard let pipe = Pipe() else { return nil }
        let (read, write) = pipe.take()
        // A thread of its own, because waitid(2) blocks until the process ends.
        DispatchQueue(label: "tminus.process").async {
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            close(write)
        }
        return read
    }
}
