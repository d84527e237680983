internal import CPlatform
internal import Glibc
internal import Synchronization

/// The thread that serves all running programs: it reads their output, writes their input, and notices their ends.
///
/// It starts with the first program and sleeps while no program does anything. Most programs end at once and write little, which is
/// read at their end anyway. So a fresh program wakes this thread by its end only (``FreshPrograms``).
final class ProgramLoop: Sendable {
    /// What is reported of a program.
    enum Event: UInt64, Sendable {
        case end
        case output
        case errors
        case input
    }

    private struct State {
        var programs: [UInt64: RunningProgram] = [:]
        var next: UInt64 = 0
        var fresh = FreshPrograms()
    }

    private static let one = Mutex<ProgramLoop?>(nil)
    /// How much is read at once: what a pipe holds (pipe(7)), so that no program keeps the others waiting for long.
    private static let pieceSize = 65_536

    /// No program has the number 0.
    private static let timerKey: UInt64 = 0

    private let poller: Poller
    private let timer: Descriptor
    private let state = Mutex(State())

    private init(poller: consuming Poller, timer: consuming Descriptor) {
        self.poller = poller
        self.timer = timer
    }

    /// The loop of the process.
    static func shared() throws(StartProblem) -> ProgramLoop {
        let result = one.withLock { one -> Result<ProgramLoop, StartProblem> in
            if let one { return .success(one) }
            guard let poller = Poller(), let timer = Descriptor(tminus_timer()),
                poller.add(timer.number, .readingEdge, key: timerKey)
            else { return .failure(StartProblem(step: .watch, number: errno)) }
            let loop = ProgramLoop(poller: poller, timer: timer)
            let code = DetachedThread.start { loop.run() }
            guard code == 0 else { return .failure(StartProblem(step: .watch, number: code)) }
            one = loop
            return .success(loop)
        }
        return try result.get()
    }

    /// Adds a program and returns its number. The streams of a fresh program are watched after ``FreshPrograms/time``.
    func add(_ program: RunningProgram, isFresh: Bool) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.programs[state.next] = program
            if isFresh, state.fresh.add(state.next, now: .now) { setTimer(FreshPrograms.time) }
            return state.next
        }
    }

    /// Reports nothing of that program any more.
    func remove(_ number: UInt64) {
        state.withLock { _ = $0.programs.removeValue(forKey: number) }
    }

    /// Watches a descriptor, for an end once; false if that cannot be, with the reason in `errno`.
    func watch(_ descriptor: CInt, _ event: Event, of number: UInt64) -> Bool {
        let key = number << 2 | event.rawValue
        if event == .end { return poller.add(descriptor, .readingOnce, key: key) }
        return poller.add(descriptor, event == .input ? .writing : .reading, key: key) || errno == EEXIST
    }

    /// Ends watching a descriptor. Has to be called before it is closed: a program that is being started may still hold a copy.
    func unwatch(_ descriptor: CInt) {
        poller.remove(descriptor)
    }

    private func run() {
        var keys = [UInt64](repeating: 0, count: 64)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        while true {
            let count = poller.wait(into: &keys)
            for key in keys.prefix(count) {
                guard key != Self.timerKey else {
                    watchAged()
                    continue
                }
                guard let event = Event(rawValue: key & 3), let program = take(key >> 2, event) else { continue }
                program.handle(event, buffer)
            }
        }
    }

    /// The program of that number, which is removed at its end.
    private func take(_ number: UInt64, _ event: Event) -> RunningProgram? {
        state.withLock { event == .end ? $0.programs.removeValue(forKey: number) : $0.programs[number] }
    }

    /// Watches the streams of the programs that are no longer fresh.
    private func watchAged() {
        let aged = state.withLock { state in
            let aged = state.fresh.aged(now: .now) { state.programs[$0] != nil }
            if let pause = aged.pause { setTimer(pause) }
            return aged.numbers.compactMap { number in state.programs[number].map { (number, $0) } }
        }
        for (number, program) in aged where !program.watchStreams(number) {
            // Tried again later, when the machine may have what it lacks now.
            state.withLock { if $0.fresh.add(number, now: .now) { setTimer(FreshPrograms.time) } }
        }
    }

    private func setTimer(_ pause: Duration) {
        let (seconds, attoseconds) = pause.components
        tminus_timer_set(timer.number, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
