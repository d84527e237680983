internal import Glibc

/// A file descriptor that is closed with its owner.
package struct Descriptor: ~Copyable, Sendable {
    /// Its number, never 0, 1 or 2.
    package let number: CInt

    /// Takes the result of a system call; nil if that is an error, with the reason in `errno`.
    ///
    /// A number below 3 is replaced. It can occur if the process has closed its standard streams, but in a started
    /// program the standard streams take these numbers.
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

    /// Returns the number without closing it.
    consuming func take() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Makes reading from and writing to an end of a pipe return at once. The other end has flags of its own (pipe(7)).
    func makeNonBlocking() {
        // This call clears all other status flags, but a pipe has none.
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }
}
