internal import CPlatform
internal import Glibc
internal import Synchronization

/// The thread that serves all running programs: it reads their output, writes their input, and notices their ends.
///
/// It starts with the first program and sleeps while all programs are silent. Most programs end quickly and write
/// little, which can be read at the end. So a fresh program wakes this thread only when it ends (``FreshPrograms``).
final class ProgramLoop: Sendable {
    /// An event of a program.
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
    /// How much is read at once: the capacity of a pipe (pipe(7)), so that no program delays the others for long.
    private static let pieceSize = 65_536

    /// The key of the timer; no program has the number 0.
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
            let code = DetachedThread.start(named: "programs") { loop.run() }
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

    /// Stops reporting events of a program.
    func remove(_ number: UInt64) {
        state.withLock { _ = $0.programs.removeValue(forKey: number) }
    }

    /// Watches a descriptor, for an end only once; false if that fails, with the reason in `errno`.
    func watch(_ descriptor: CInt, _ event: Event, of number: UInt64) -> Bool {
        let key = number << 2 | event.rawValue
        if event == .end { return poller.add(descriptor, .readingOnce, key: key) }
        return poller.add(descriptor, event == .input ? .writing : .reading, key: key) || errno == EEXIST
    }

    /// Stops watching a descriptor. Call this before the descriptor is closed, because a starting program may still
    /// hold a copy.
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

    /// Returns the program with that number, and removes it at its end.
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
            // Try again later, when the system may have enough resources.
            state.withLock { if $0.fresh.add(number, now: .now) { setTimer(FreshPrograms.time) } }
        }
    }

    private func setTimer(_ pause: Duration) {
        let (seconds, attoseconds) = pause.components
        tminus_timer_set(timer.number, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
