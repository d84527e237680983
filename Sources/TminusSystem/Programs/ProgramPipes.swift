internal import Glibc

/// The pipes for the standard streams of a program. The ends of this process do not block.
struct ProgramPipes: ~Copyable {
    /// How many descriptors stay free for the store and the connections of this process.
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
        // The kernel takes the lowest free number (open(2)), so a high number means that the numbers below it are in
        // use.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            UInt(errors.write.number) + Self.reserve >= UInt(limit.rlim_cur)
        {
            throw StartProblem(step: .start, number: EMFILE)
        }
        // The ends of a pipe have separate flags (pipe(7)): those of the program stay blocking, as programs expect.
        input.write.makeNonBlocking()
        output.read.makeNonBlocking()
        errors.read.makeNonBlocking()
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Writes as many bytes as fit before the program starts. Returns their number.
    func fill(_ bytes: [UInt8]) -> Int {
        max(0, write(input.write.number, bytes, bytes.count))
    }

    /// Closes the program's ends and returns those of this process.
    consuming func takeOurs() -> (input: CInt, output: CInt, errors: CInt) {
        let input = input.write.take()
        let output = output.read.take()
        return (input, output, errors.read.take())
    }
}
