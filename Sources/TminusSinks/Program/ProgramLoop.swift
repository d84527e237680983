import CProgramTools
import Glibc
import Synchronization

/// The one thread that stands by all programs: it reads what they write, writes what they read, and notices their ends (epoll(7)).
///
/// It begins with the first program, and is asleep while none does anything.
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
    }

    private static let one = Mutex<ProgramLoop?>(nil)
    /// How much is read at once: what a pipe holds (pipe(7)), so that no program keeps the others waiting for long.
    private static let pieceSize = 65_536

    private let descriptor: CInt
    private let state = Mutex(State())

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The loop of the process.
    static func shared() throws(StartProblem) -> ProgramLoop {
        let result = one.withLock { one -> Result<ProgramLoop, StartProblem> in
            if let one { return .success(one) }
            guard let descriptor = Descriptor(tminus_epoll()) else {
                return .failure(StartProblem(step: .watch, number: errno))
            }
            let loop = ProgramLoop(descriptor: descriptor.take())
            let code = ProgramThread.start { loop.run() }
            guard code == 0 else { return .failure(StartProblem(step: .watch, number: code)) }
            one = loop
            return .success(loop)
        }
        return try result.get()
    }

    /// Takes a program, and returns the number by which it is known.
    func add(_ program: RunningProgram) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.programs[state.next] = program
            return state.next
        }
    }

    /// Nothing of that program is told any more.
    func remove(_ number: UInt64) {
        state.withLock { _ = $0.programs.removeValue(forKey: number) }
    }

    /// Begins to tell of a descriptor; false if that cannot be, with the reason in `errno`.
    func watch(_ descriptor: CInt, _ event: Event, of number: UInt64) -> Bool {
        tminus_epoll_add(self.descriptor, descriptor, event == .input, number << 2 | event.rawValue) == 0
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
                guard let event = Event(rawValue: key & 3), let program = state.withLock({ $0.programs[key >> 2] })
                else { continue }
                program.handle(event, buffer)
            }
        }
    }
}
