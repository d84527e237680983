internal import Glibc

/// A file descriptor that is closed with its owner.
package struct Descriptor: ~Copyable, Sendable {
    /// Its number, never 0, 1 or 2.
    package let number: CInt

    /// Takes the result of a system call; nil if that is an error, with the reason in `errno`.
    ///
    /// A number below 3, which is free where a process has closed its standard streams, is replaced: in a program that is started
    /// the standard streams take its place.
    package init?(_ number: CInt) {
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

    /// Gives the number away without closing it.
    consuming func take() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Makes reading from and writing to an end of a pipe return at once. The other end has flags of its own (pipe(7)).
    func makeNonBlocking() {
        // A pipe has no other flag that this call could take away.
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }
}
