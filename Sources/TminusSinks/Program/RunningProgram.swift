import Dispatch
import Glibc
import Synchronization
import TminusCore

/// A process of the user with all three pipes, in a session of its own, until it is reaped.
final class RunningProgram: Sendable {
    /// Takes the next piece of a stream, an empty one at its end. It is called on the thread of all programs and must not block.
    typealias Reader = @Sendable (UnsafeRawBufferPointer) -> Void

    /// What the program has not read yet.
    private struct Input {
        var bytes: [UInt8]
        var written = 0
        /// Told whether all of it was written.
        var tell: (@Sendable (Bool) -> Void)?
    }

    private struct State {
        /// The descriptors; -1: closed.
        var process: CInt = -1
        var input: CInt = -1
        var output: CInt = -1
        var errors: CInt = -1
        /// Whether the loop tells of the streams.
        var watchesStreams = false
        var unread: Input?
        var closesInput = false
        var hasEnded = false
        var isReaped = false
        var whenEnded: [@Sendable () -> Void] = []
        /// By which the loop knows it.
        var number: UInt64 = 0
    }

    /// Of a stream so much is read at the end of the process: more than a pipe holds, unless others go on writing.
    private static let lateLimit = 1 << 20

    /// The id of the process, and of its session and group.
    let id: pid_t
    private let readOutput: Reader
    private let readErrors: Reader
    private let loop: ProgramLoop
    private let state: Mutex<State>

    private init(id: pid_t, _ state: State, loop: ProgramLoop, output: @escaping Reader, errors: @escaping Reader) {
        self.id = id
        self.loop = loop
        readOutput = output
        readErrors = errors
        self.state = Mutex(state)
    }

    // MARK: The start

    /// Starts a program on `queue`, where it may block; its standard input comes by ``write(_:)``.
    static func start(
        _ start: ProgramStart, on queue: DispatchQueue, output: @escaping Reader, errors: @escaping Reader
    ) async throws(StartProblem) -> RunningProgram {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(StartProblem) in
                        try Self.start(start, input: nil, output: output, errors: errors)
                    })
            }
        }
        return try result.get()
    }

    /// Starts a program. Blocks until it runs, which may take as long as the file system that it is on.
    ///
    /// - Parameter input: All of its standard input; nil: it comes by ``write(_:)``.
    static func start(
        _ start: ProgramStart, input: [UInt8]?, output: @escaping Reader, errors: @escaping Reader
    ) throws(StartProblem) -> RunningProgram {
        let loop = try ProgramLoop.shared()
        let pipes = try ProgramPipes()
        let written = input.map { pipes.fill($0) } ?? 0
        let id = try start.spawn(with: pipes)
        var state = State()
        (state.input, state.output, state.errors) = pipes.takeOurs()
        if let input {
            state.closesInput = true
            if written < input.count {
                state.unread = Input(bytes: input, written: written)
            } else {
                close(state.input)
                state.input = -1
            }
        }
        let program = RunningProgram(id: id, state, loop: loop, output: output, errors: errors)
        guard program.beginWatching() else {
            let number = errno
            program.abandon()
            throw StartProblem(step: .watch, number: number)
        }
        return program
    }

    private func beginWatching() -> Bool {
        guard let process = ProcessEnd.descriptor(of: id) else { return false }
        // One that reads what comes, or does not have all of its input yet, talks while it runs.
        let isFresh = state.withLock { $0.closesInput && $0.unread == nil }
        let number = loop.add(self, isFresh: isFresh)
        state.withLock { ($0.number, $0.process) = (number, process) }
        // The end comes last, so that by then the rest is known.
        return (isFresh || watchStreams(number)) && loop.watch(process, .end, of: number)
    }

    /// Begins to tell of its streams while it runs; false if that cannot be, with the reason in `errno`.
    func watchStreams(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return true }
            state.watchesStreams = true
            for (descriptor, event) in [(state.output, ProgramLoop.Event.output), (state.errors, .errors)] {
                guard descriptor < 0 || loop.watch(descriptor, event, of: number) else { return false }
            }
            return state.unread == nil || loop.watch(state.input, .input, of: number)
        }
    }

    /// Ends and reaps what cannot be watched.
    private func abandon() {
        send(SIGKILL)
        state.withLock { state in
            loop.remove(state.number)
            for descriptor in [state.output, state.errors, state.input] where descriptor >= 0 {
                loop.unwatch(descriptor)
            }
            state.hasEnded = true
        }
        _ = finish()
    }

    // MARK: What it does

    /// Something has happened; called by the loop alone.
    func handle(_ event: ProgramLoop.Event, _ buffer: UnsafeMutableRawBufferPointer) {
        switch event {
        case .output: read(\.output, into: buffer, readOutput)
        case .errors: read(\.errors, into: buffer, readErrors)
        case .input: writeOn()
        case .end: end(buffer)
        }
    }

    /// Reads one piece.
    private func read(
        _ stream: WritableKeyPath<State, CInt>, into buffer: UnsafeMutableRawBufferPointer, _ reader: Reader
    ) {
        // Nobody but the loop, whose thread this is, closes it before the end.
        let descriptor = state.withLock { $0[keyPath: stream] }
        guard descriptor >= 0, case .over = piece(of: descriptor, into: buffer, reader) else { return }
        state.withLock { state in shut(&state[keyPath: stream]) }
        reader(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// What one call of read(2) gave.
    private enum Piece {
        case bytes(Int)
        /// Nothing for now.
        case none
        /// The end of the stream.
        case over
    }

    private func piece(of descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, _ reader: Reader) -> Piece {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            reader(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return .bytes(count)
        }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .none : .over
    }

    private func shut(_ descriptor: inout CInt) {
        guard descriptor >= 0 else { return }
        loop.unwatch(descriptor)
        close(descriptor)
        descriptor = -1
    }

    /// The process has ended: reads what it has left in its pipes, and tells.
    ///
    /// The pipes stay open, so that one of its group that cleans up is not ended by a broken one. Nobody reads them any more.
    private func end(_ buffer: UnsafeMutableRawBufferPointer) {
        let (output, errors) = state.withLock { ($0.output, $0.errors) }
        readRest(of: output, into: buffer, readOutput)
        readRest(of: errors, into: buffer, readErrors)
        let (tell, told) = state.withLock { state in
            let tell = state.unread?.tell
            state.unread = nil
            shut(&state.input)
            if state.watchesStreams {
                for descriptor in [state.output, state.errors] where descriptor >= 0 { loop.unwatch(descriptor) }
            }
            state.hasEnded = true
            defer { state.whenEnded = [] }
            return (tell, state.whenEnded)
        }
        tell?(false)
        for body in told { body() }
    }

    private func readRest(of descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, _ reader: Reader) {
        guard descriptor >= 0 else { return }
        var late = 0
        while late < Self.lateLimit, case .bytes(let count) = piece(of: descriptor, into: buffer, reader) {
            late += count
        }
        // For the reader it is the end, also where another process holds it.
        reader(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    // MARK: Its input

    /// Writes to the standard input; false if the program does not read it any more. One call after another.
    func write(_ bytes: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                guard state.input >= 0, !state.hasEnded else { return false }
                guard loop.watch(state.input, .input, of: state.number) else { return false }
                state.unread = Input(bytes: bytes) { continuation.resume(returning: $0) }
                return true
            }
            if !isTaken { continuation.resume(returning: false) }
        }
    }

    /// Nothing more is to be written.
    func finishInput() {
        state.withLock { state in
            state.closesInput = true
            if state.unread == nil { shut(&state.input) }
        }
    }

    /// There is room in the pipe, or nobody reads it any more.
    private func writeOn() {
        let (tell, isWritten) = state.withLock { state -> ((@Sendable (Bool) -> Void)?, Bool) in
            guard var unread = state.unread, state.input >= 0 else { return (nil, false) }
            let count = unread.bytes.withUnsafeBytes {
                Glibc.write(state.input, $0.baseAddress.map { $0 + unread.written }, $0.count - unread.written)
            }
            if count < 0 && (errno == EAGAIN || errno == EINTR) { return (nil, false) }
            unread.written += max(0, count)
            let isWritten = unread.written == unread.bytes.count
            guard count < 0 || isWritten else {
                state.unread = unread
                return (nil, false)
            }
            state.unread = nil
            if !isWritten || state.closesInput { shut(&state.input) } else { loop.unwatch(state.input) }
            return (unread.tell, isWritten)
        }
        tell?(isWritten)
    }

    // MARK: Its end

    /// Calls `body`, which must not block, when the process has ended and what it wrote is read; at once if that is so already.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.whenEnded.append(body) }
            return state.hasEnded
        }
        if hasEnded { body() }
    }

    /// Returns when the process has ended, not reaped yet, and what it wrote is read; does not heed cancellation.
    func ended() async {
        await withCheckedContinuation { continuation in whenEnded { continuation.resume() } }
    }

    /// Sends a signal to the group. Until the process is reaped its id cannot mean others.
    func send(_ signal: CInt) {
        state.withLock { if !$0.isReaped { ProcessGroup(id: id).send(signal) } }
    }

    /// TERM to the group, and KILL when the process is still there after `patience`; returns when it has ended.
    func terminate(within patience: Duration) async {
        send(SIGTERM)
        let limit = Deadlines.shared.after(patience) { [self] in
            if !state.withLock(\.hasEnded) { send(SIGKILL) }
        }
        await ended()
        Deadlines.shared.callOff(limit)
    }

    /// The process that leads the group has ended; the others of the group get `patience` before they are killed.
    func endGroup(within patience: Duration) async {
        let group = ProcessGroup(id: id)
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(10)
        while ContinuousClock.now < deadline, group.hasLivingMember() {
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(200))
        }
        send(SIGKILL)
    }

    /// Reaps the process, which has ended, and closes what is left; nil if somebody else has reaped it.
    func finish() -> ProgramStatus? {
        state.withLock { state in
            for stream in [\State.input, \.output, \.errors, \.process] where state[keyPath: stream] >= 0 {
                close(state[keyPath: stream])
                state[keyPath: stream] = -1
            }
            guard !state.isReaped else { return nil }
            state.isReaped = true
            var status: CInt = 0
            var reaped: pid_t
            repeat { reaped = waitpid(id, &status, 0) } while reaped < 0 && errno == EINTR
            return reaped == id ? ProgramStatus(wait: status) : nil
        }
    }
}
