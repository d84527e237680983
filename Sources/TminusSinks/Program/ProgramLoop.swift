import CProgramTools
import Glibc
import Synchronization

/// The one thread that stands by all programs: it reads what they write, writes what they read, and notices their ends (epoll(7)).
///
/// It begins with the first program, and is asleep while none does anything. Most programs end at once and write little, and what
/// they wrote is read at their end anyway: so one that was just started wakes this thread by its end alone (``FreshPrograms``).
final class ProgramLoop: Sendable {
    /// What may happen to a program.
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

    private let descriptor: CInt
    private let timer: CInt
    private let state = Mutex(State())

    private init(descriptor: CInt, timer: CInt) {
        self.descriptor = descriptor
        self.timer = timer
    }

    deinit {
        close(descriptor)
        close(timer)
    }

    /// The loop of the process.
    static func shared() throws(StartProblem) -> ProgramLoop {
        let result = one.withLock { one -> Result<ProgramLoop, StartProblem> in
            if let one { return .success(one) }
            guard let descriptor = Descriptor(tminus_epoll()),
                let timer = Descriptor(tminus_epoll_timer(descriptor.number, timerKey))
            else { return .failure(StartProblem(step: .watch, number: errno)) }
            let loop = ProgramLoop(descriptor: descriptor.take(), timer: timer.take())
            let code = ProgramThread.start { loop.run() }
            guard code == 0 else { return .failure(StartProblem(step: .watch, number: code)) }
            one = loop
            return .success(loop)
        }
        return try result.get()
    }

    /// Takes a program, and returns the number by which it is known. The streams of a fresh one are watched some time later.
    func add(_ program: RunningProgram, isFresh: Bool) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.programs[state.next] = program
            if isFresh, state.fresh.add(state.next, now: .now) { setTimer(FreshPrograms.time) }
            return state.next
        }
    }

    /// Nothing of that program is told any more.
    func remove(_ number: UInt64) {
        state.withLock { _ = $0.programs.removeValue(forKey: number) }
    }

    /// Begins to tell of a descriptor, of an end once; false if that cannot be, with the reason in `errno`.
    func watch(_ descriptor: CInt, _ event: Event, of number: UInt64) -> Bool {
        let key = number << 2 | event.rawValue
        if event == .end { return tminus_epoll_add_once(self.descriptor, descriptor, key) == 0 }
        return tminus_epoll_add(self.descriptor, descriptor, event == .input, key) == 0 || errno == EEXIST
    }

    /// Tells no more of a descriptor. It has to come before that is closed: a program that is being started may still have a copy.
    func unwatch(_ descriptor: CInt) {
        tminus_epoll_remove(self.descriptor, descriptor)
    }

    private func run() {
        var keys = [UInt64](repeating: 0, count: 64)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        while true {
            let count = tminus_epoll_wait(descriptor, &keys, CInt(keys.count))
            for key in keys.prefix(Int(count)) {
                guard key != Self.timerKey else {
                    watchAged()
                    continue
                }
                guard let event = Event(rawValue: key & 3), let program = take(key >> 2, event) else { continue }
                program.handle(event, buffer)
            }
        }
    }

    /// The program of that number, which is forgotten with its end.
    private func take(_ number: UInt64, _ event: Event) -> RunningProgram? {
        state.withLock { event == .end ? $0.programs.removeValue(forKey: number) : $0.programs[number] }
    }

    /// Begins to watch the streams of the programs that are no longer fresh.
    private func watchAged() {
        let aged = state.withLock { state in
            let aged = state.fresh.aged(now: .now) { state.programs[$0] != nil }
            if let pause = aged.pause { setTimer(pause) }
            return aged.numbers.compactMap { number in state.programs[number].map { (number, $0) } }
        }
        for (number, program) in aged where !program.watchStreams(number) {
            // What the system lacks now it may have later.
            state.withLock { if $0.fresh.add(number, now: .now) { setTimer(FreshPrograms.time) } }
        }
    }

    private func setTimer(_ pause: Duration) {
        let (seconds, attoseconds) = pause.components
        tminus_timer_set(timer, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
