internal import Glibc
internal import Synchronization
internal import TminusCore

/// A running program with its three pipes, in a session of its own, until it is reaped.
package final class RunningProgram: Sendable {
    /// Receives the next piece of a stream, an empty piece at its end. Called on the thread of ``ProgramLoop``; must
    /// not block.
    package typealias Reader = @Sendable (UnsafeRawBufferPointer) -> Void

    /// Input that the program has not read yet.
    private struct Input {
        var bytes: [UInt8]
        var written = 0
        /// Called with true if all of it was written.
        var tell: (@Sendable (Bool) -> Void)?
    }

    private struct State {
        /// The descriptors; -1: closed.
        var process: CInt = -1
        var input: CInt = -1
        var output: CInt = -1
        var errors: CInt = -1
        /// Whether the loop watches the streams.
        var watchesStreams = false
        var unread: Input?
        var closesInput = false
        var hasEnded = false
        var isReaped = false
        var whenEnded: [@Sendable () -> Void] = []
        /// Its number in the loop.
        var number: UInt64 = 0
        /// Its place in the ledger.
        var place: ProgramLedger.Place?
    }

    /// How much of a stream is read after the end of the process: more than a pipe holds, but bounded, because other
    /// processes may keep writing.
    private static let lateLimit = 1 << 20

    /// The id of the process, and of its session and group.
    package let id: Int32
    private let readOutput: Reader
    private let readErrors: Reader
    private let loop: ProgramLoop
    private let state: Mutex<State>

    private init(id: Int32, _ state: State, loop: ProgramLoop, output: @escaping Reader, errors: @escaping Reader) {
        self.id = id
        self.loop = loop
        readOutput = output
        readErrors = errors
        self.state = Mutex(state)
    }

    // MARK: Start

    /// Starts a program whose standard input is written with ``write(_:)``.
    package static func start(
        _ start: ProgramStart, on starter: ProgramStarter, output: @escaping Reader, errors: @escaping Reader
    ) async throws(StartProblem) -> RunningProgram {
        let result = await withCheckedContinuation { continuation in
            do throws(StartProblem) {
                try starter.run {
                    continuation.resume(
                        returning: Result { () throws(StartProblem) in
                            try Self.start(start, input: nil, output: output, errors: errors)
                        })
                }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// Starts a program. Blocks until it runs, which depends on the file system that holds it. Call this in a
    /// ``ProgramStarter``, because the program ends with the thread that started it.
    ///
    /// - Parameter input: All of its standard input; nil if it is written with ``write(_:)``.
    package static func start(
        _ start: ProgramStart, input: [UInt8]?, output: @escaping Reader, errors: @escaping Reader
    ) throws(StartProblem) -> RunningProgram {
        let loop = try ProgramLoop.shared()
        let pipes = try ProgramPipes()
        let written = input.map { pipes.fill($0) } ?? 0
        let (id, place) = try start.spawn(with: pipes)
        var state = State()
        state.place = place
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
        // Otherwise the program gets input while it runs, so its streams are watched at once.
        let isFresh = state.withLock { $0.closesInput && $0.unread == nil }
        let number = loop.add(self, isFresh: isFresh)
        state.withLock { ($0.number, $0.process) = (number, process) }
        // The end is watched last, because the program must be complete when its end is reported.
        return (isFresh || watchStreams(number)) && loop.watch(process, .end, of: number)
    }

    /// Starts to watch its streams while it runs; false if that fails, with the reason in `errno`.
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

    /// Kills and reaps a program that cannot be watched.
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

    // MARK: Output

    /// Handles an event; called by the loop only.
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
        // Only the loop, which runs on this thread, closes the descriptor before the end.
        let descriptor = state.withLock { $0[keyPath: stream] }
        guard descriptor >= 0, case .over = piece(of: descriptor, into: buffer, reader) else { return }
        state.withLock { state in shut(&state[keyPath: stream]) }
        reader(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The result of one read(2).
    private enum Piece {
        case bytes(Int)
        /// Nothing to read at present.
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

    /// The process has ended. Reads the rest of its output and reports the end.
    ///
    /// The pipes stay open although they are no longer read, so that a process of the group that still cleans up is not
    /// killed by SIGPIPE.
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
        // Reports the end of the stream, even if another process still holds it.
        reader(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    // MARK: Input

    /// Writes to the standard input; false if the program no longer reads it. Calls must not overlap.
    package func write(_ bytes: [UInt8]) async -> Bool {
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

    /// Closes the standard input when all of it is written.
    package func finishInput() {
        state.withLock { state in
            state.closesInput = true
            if state.unread == nil { shut(&state.input) }
        }
    }

    /// Continues writing: the pipe has room, or the program no longer reads it.
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

    // MARK: End

    /// Calls `body`, which must not block, when the process has ended and its output is read. If both is already true,
    /// calls it at once.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.whenEnded.append(body) }
            return state.hasEnded
        }
        if hasEnded { body() }
    }

    /// Returns when the process has ended and its output is read. The process is not reaped yet. Ignores cancellation.
    package func ended() async {
        await withCheckedContinuation { continuation in whenEnded { continuation.resume() } }
    }

    /// Sends a signal to the group. Until the process is reaped, no other group can have its id.
    package func send(_ signal: CInt) {
        state.withLock { if !$0.isReaped { ProcessGroup(id: id).send(signal) } }
    }

    /// Sends TERM to the group, and KILL if the process still runs after `patience`; returns when it has ended.
    package func terminate(within patience: Duration) async {
        send(SIGTERM)
        let limit = Deadlines.shared.after(patience) { [self] in
            if !state.withLock(\.hasEnded) { send(SIGKILL) }
        }
        await ended()
        Deadlines.shared.callOff(limit)
    }

    /// Kills the rest of the group after `patience`. Called when the process that leads the group has ended.
    package func endGroup(within patience: Duration) async {
        let group = ProcessGroup(id: id)
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(10)
        while ContinuousClock.now < deadline, group.hasLivingMember() {
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(200))
        }
        send(SIGKILL)
    }

    /// Reaps the ended process and closes its descriptors; nil if another part of this process has reaped it.
    package func finish() -> ProgramStatus? {
        state.withLock { state in
            for stream in [\State.input, \.output, \.errors, \.process] where state[keyPath: stream] >= 0 {
                close(state[keyPath: stream])
                state[keyPath: stream] = -1
            }
            guard !state.isReaped else { return nil }
            state.isReaped = true
            state.place?.clear()
            var status: CInt = 0
            var reaped: pid_t
            repeat { reaped = waitpid(id, &status, 0) } while reaped < 0 && errno == EINTR
            return reaped == id ? ProgramStatus(wait: status) : nil
        }
    }
}
