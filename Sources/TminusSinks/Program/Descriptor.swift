import CProgramTools
import Glibc

/// A descriptor that is closed with its owner.
struct Descriptor: ~Copyable {
    /// Its number, never 0, 1 or 2.
    let number: CInt

    /// Takes what a system call gave; nil if that is an error, which is in `errno`.
    ///
    /// A number below 3, which is free where a process has closed its standard streams, is changed for another: the standard
    /// streams of a program take its place in that program (posix_spawn(3)).
    init?(_ number: CInt) {
        guard number >= 0 else { return nil }
        guard number <= STDERR_FILENO else {
            self.number = number
            return
        }
        let other = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let error = errno
        Glibc.close(number)
        errno = error
        guard other >= 0 else { return nil }
        self.number = other
    }

    deinit { Glibc.close(number) }

    /// Gives it away: somebody else closes it.
    consuming func take() -> CInt {
        let number = number
        discard self
        return number
    }

    /// A pipe whose ends no other program gets; nil if there is none, with the reason in `errno`.
    static func pipe() -> Pipe? {
        var ends: [CInt] = [-1, -1]
        guard tminus_pipe(&ends) == 0 else { return nil }
        let read = Descriptor(ends[0])
        let write = Descriptor(ends[1])
        guard let read, let write else { return nil }
        return Pipe(read: read, write: write)
    }

    /// The two ends of a pipe.
    struct Pipe: ~Copyable {
        var read: Descriptor
        var write: Descriptor
    }
}
