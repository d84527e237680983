import CProgramTools
import Dispatch
import Glibc

/// A descriptor that tells when a process has ended.
enum ProcessEnd {
    /// What can be read from, or is closed at its other end, once the process has ended; nil with the reason in `errno`.
    ///
    /// A child has to be one that nobody reaps meanwhile. `opensProcess` is for tests of what is done on a kernel, or in a
    /// container, without pidfd_open(2).
    static func descriptor(of process: pid_t, opensProcess: (pid_t) -> CInt = tminus_process_descriptor) -> CInt? {
        let number = opensProcess(process)
        if let descriptor = Descriptor(number) { return descriptor.take() }
        guard errno == ENOSYS || errno == EPERM || errno == EINVAL else { return nil }
        guard let pipe = Descriptor.pipe() else { return nil }
        let (read, write) = Self.taken(pipe)
        // A thread of its own, because it blocks as long as the process lives.
        DispatchQueue(label: "tminus.process").async {
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            close(write)
        }
        return read
    }

    private static func taken(_ pipe: consuming Descriptor.Pipe) -> (read: CInt, write: CInt) {
        let read = pipe.read.take()
        return (read, pipe.write.take())
    }
}
