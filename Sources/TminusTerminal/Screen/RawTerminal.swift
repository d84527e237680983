internal import Glibc

/// A terminal whose keys come one by one and whose screen is ours. It is as it was before when this value ends.
struct RawTerminal: ~Copyable {
    private let descriptor: CInt
    private let former: termios
    private var isTaken = false

    /// The alternate screen, without cursor; what is pasted comes in brackets.
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
    /// Cleared first: a terminal without an alternate screen would keep what was on it.
    private static let leave = "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    /// The terminal that is standard input and output. It is opened anew: the descriptors of a shell are shared with it, and must
    /// not become non-blocking.
    static func open() throws(TerminalError) -> RawTerminal {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let name = ttyname(STDOUT_FILENO) else {
            throw TerminalError("the live view needs a terminal; 'tminus list' writes to anything")
        }
        let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        var descriptor = Glibc.open(name, flags)
        // After su(1) the terminal is still another user's; its second name is everybody's.
        if descriptor < 0 && errno == EACCES { descriptor = Glibc.open("/dev/tty", flags) }
        guard descriptor >= 0 else { throw TerminalError(String(cString: name), errno: errno) }
        var former = termios()
        guard tcgetattr(descriptor, &former) == 0 else {
            let code = errno
            close(descriptor)
            throw TerminalError("the settings of the terminal", errno: code)
        }
        return RawTerminal(descriptor: descriptor, former: former)
    }

    private init(descriptor: CInt, former: termios) {
        self.descriptor = descriptor
        self.former = former
    }

    /// Ready when keys have come, and for writing.
    var input: CInt { descriptor }

    /// Its size; 80 by 24 where it does not know.
    var size: ScreenSize {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown
            ? ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row)) : ScreenSize(columns: 80, rows: 24)
    }

    /// Takes the terminal over. Signals of keys such as Ctrl-C stay on.
    mutating func take() {
        var raw = former
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
        tcsetattr(descriptor, TCSADRAIN, &raw)
        isTaken = true
        write(Self.enter, or: Self.afterASecond())
    }

    /// Gives it back as it was. A terminal to which nothing can be written gets its settings back all the same.
    mutating func giveBack() {
        guard isTaken else { return }
        isTaken = false
        write(Self.leave, or: Self.afterASecond())
        var former = former
        tcsetattr(descriptor, TCSANOW, &former)
    }

    private static func afterASecond() -> () -> Bool {
        let limit = ContinuousClock.now + .seconds(1)
        return { ContinuousClock.now > limit }
    }

    /// The bytes that have come; nil at the end of the terminal.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Writes all of it, however slowly the terminal takes it, unless `isEnding` says that it is not to be waited for.
    func write(_ text: String, or isEnding: () -> Bool) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                if isEnding() { return }
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, 100)
            } else if errno != EINTR {
                return
            }
        }
    }

    deinit {
        // The same as giveBack(), which cannot be called here.
        if isTaken {
            var former = former
            _ = Array(Self.leave.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            tcsetattr(descriptor, TCSANOW, &former)
        }
        close(descriptor)
    }
}
