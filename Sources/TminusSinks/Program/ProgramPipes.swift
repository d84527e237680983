import Glibc

/// The pipes of a program to be: its standard input, output and error, each with our end, which does not block.
struct ProgramPipes: ~Copyable {
    /// So many descriptors are left to the rest of the process, whose store and connections need some as well.
    private static let reserve: UInt = 16

    let input: Descriptor.Pipe
    let output: Descriptor.Pipe
    let errors: Descriptor.Pipe

    /// Three pipes.
    ///
    /// - Throws: EMFILE also when so few descriptors are left that others would miss them.
    init() throws(StartProblem) {
        guard let input = Descriptor.pipe(), let output = Descriptor.pipe(), let errors = Descriptor.pipe() else {
            throw StartProblem(step: .start, number: errno)
        }
        // The lowest free number is taken (open(2)), so a high one says that those below it are in use.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            UInt(errors.write.number) + Self.reserve >= UInt(limit.rlim_cur)
        {
            throw StartProblem(step: .start, number: EMFILE)
        }
        // Both ends of a pipe have flags of their own (pipe(7)): those of the program stay as it expects them.
        for end in [input.write.number, output.read.number, errors.read.number] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Writes what there is room for, before anybody reads; returns how much.
    func fill(_ bytes: [UInt8]) -> Int {
        max(0, write(input.write.number, bytes, bytes.count))
    }

    /// Closes the ends of the program and gives ours away.
    consuming func takeOurs() -> (input: CInt, output: CInt, errors: CInt) {
        let input = input.write.take()
        let output = output.read.take()
        return (input, output, errors.read.take())
    }
}
