internal import Glibc

/// The pipes for the standard streams of a program; our ends do not block.
struct ProgramPipes: ~Copyable {
    /// So many descriptors stay free for the store and the connections of this process.
    private static let reserve: UInt = 16

    let input: Pipe
    let output: Pipe
    let errors: Pipe

    /// Three pipes.
    ///
    /// - Throws: EMFILE also if fewer descriptors than the reserve would be left.
    init() throws(StartProblem) {
        guard let input = Pipe(), let output = Pipe(), let errors = Pipe() else {
            throw StartProblem(step: .start, number: errno)
        }
        // The kernel takes the lowest free number (open(2)), so a high one means that those below it are in use.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            UInt(errors.write.number) + Self.reserve >= UInt(limit.rlim_cur)
        {
            throw StartProblem(step: .start, number: EMFILE)
        }
        // The ends of a pipe have flags of their own (pipe(7)): those of the program stay blocking, as it expects.
        input.write.makeNonBlocking()
        output.read.makeNonBlocking()
        errors.read.makeNonBlocking()
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Writes as much as there is room for before the program starts; returns how much.
    func fill(_ bytes: [UInt8]) -> Int {
        max(0, write(input.write.number, bytes, bytes.count))
    }

    /// Closes the program's ends and gives ours away.
    consuming func takeOurs() -> (input: CInt, output: CInt, errors: CInt) {
        let input = input.write.take()
        let output = output.read.take()
        return (input, output, errors.read.take())
    }
}
