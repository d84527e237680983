internal import Glibc
internal import TminusControl
internal import TminusCore

/// The loop of the live view's thread: waits for input, steps the model and writes the changes to the screen.
struct ScreenLoop: ~Copyable {
    /// The shortest time between two drawings that item changes cause. Keys are drawn at once.
    private static let pause: Duration = .milliseconds(40)
    /// The silence after an ESC byte that makes it the Esc key.
    private static let escapeTime: Duration = .milliseconds(50)

    private var terminal: RawTerminal
    private let signals: SignalPipe
    private let inbox: Inbox
    private let view: WatchView
    private let palette: Palette
    private let clock: @Sendable () -> Timestamp
    private let perform: @Sendable (String, Control) -> Void
    private var model: WatchModel
    private var decoder = KeyDecoder()
    /// The time of the last key input.
    private var pressed = ContinuousClock.now
    private var shown: Frame?
    private var drawn = ContinuousClock.now
    /// Whether the screen must be drawn again.
    private var isStale = true
    private var end: WatchEnd?

    /// Creates the loop; `perform` sends a control to the daemon and must not block.
    init(
        terminal: consuming RawTerminal, signals: consuming SignalPipe, inbox: Inbox, id: String?, view: WatchView,
        now clock: @escaping @Sendable () -> Timestamp, perform: @escaping @Sendable (String, Control) -> Void
    ) {
        let size = terminal.size
        self.terminal = terminal
        self.signals = signals
        self.inbox = inbox
        self.view = view
        palette = Palette(view.style)
        self.clock = clock
        self.perform = perform
        model = WatchModel(size: size, id: id)
    }

    /// Shows the view until the user quits or a signal ends it.
    consuming func run() -> WatchEnd {
        terminal.take()
        while end == nil {
            if isStale { draw() }
            wait()
        }
        terminal.giveBack()
        return end ?? .quit
    }

    private mutating func draw() {
        let frame = view.frame(model, at: clock())
        let bytes = FrameDiff.bytes(from: shown, to: frame, palette)
        drawn = .now
        shown = frame
        isStale = false
        // Collect signals that arrive while a slow terminal blocks the write, and handle them afterwards.
        var came: [CInt] = []
        terminal.write(bytes) {
            came += signals.drain()
            return Self.endingSignal(came) != nil
        }
        if !came.isEmpty { handle(came) }
    }

    private mutating func wait() {
        guard end == nil else { return }
        let now = clock()
        let tick = model.nextTick(after: now)
        var timeout = max(.milliseconds(1), now.duration(to: tick))
        if decoder.isWaiting { timeout = min(timeout, Self.escapeTime) }
        let rest = Self.pause - drawn.duration(to: .now)
        let takesNews = rest <= .zero
        if !takesNews { timeout = min(timeout, rest) }
        let ready = Self.poll([terminal.input, signals.descriptor, takesNews ? inbox.descriptor : -1], timeout)
        if ready[1] { handle(signals.drain()) }
        if ready[0] {
            pressed = .now
            if let bytes = terminal.read() {
                for key in decoder.decode(bytes) { step(.key(key)) }
            } else {
                end = .quit
            }
        } else if decoder.isWaiting, pressed.duration(to: .now) >= Self.escapeTime {
            for key in decoder.giveUp() { step(.key(key)) }
        }
        if ready[2] { for input in inbox.drain() { step(input) } }
        if clock() >= tick { step(.tick) }
    }

    private mutating func step(_ input: WatchInput) {
        isStale = true
        for effect in model.step(input, at: clock()) {
            switch effect {
            case .perform(let id, let control): perform(id, control)
            case .redraw: shown = nil
            case .quit: end = end ?? .quit
            }
        }
    }

    private mutating func handle(_ numbers: [CInt]) {
        var numbers = numbers
        if numbers.contains(SIGTSTP), Self.endingSignal(numbers) == nil {
            terminal.giveBack()
            // Stop the process as the default action of SIGTSTP would. Execution continues here after SIGCONT.
            raise(SIGSTOP)
            numbers = signals.drain() + [SIGCONT]
        }
        if let ending = Self.endingSignal(numbers) { end = .signal(ending) }
        guard end == nil else { return }
        if numbers.contains(SIGCONT) { terminal.take() }
        step(.resize(terminal.size))
    }

    private static func endingSignal(_ numbers: [CInt]) -> CInt? {
        numbers.first { [SIGINT, SIGTERM, SIGHUP].contains($0) }
    }

    /// Waits until a descriptor is readable or the timeout ends. Returns which are ready. Negative descriptors are
    /// ignored, as poll(2) specifies.
    private static func poll(_ descriptors: [CInt], _ timeout: Duration) -> [Bool] {
        var wanted = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Round up: waking early would draw the same second again.
        let milliseconds = timeout.nanoseconds / 1_000_000 + 1
        _ = Glibc.poll(&wanted, nfds_t(wanted.count), CInt(clamping: milliseconds))
        return wanted.map { $0.revents != 0 }
    }
}
