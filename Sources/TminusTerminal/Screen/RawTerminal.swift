internal import Glibc

/// A terminal in raw mode on its alternate screen. The end of this value's life restores the former state.
struct RawTerminal: ~Copyable {
    private let descriptor: CInt
    private let former: termios
    private var isTaken = false

    /// Alternate screen, no cursor, bracketed paste.
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
    /// Clears the screen first, because a terminal without an alternate screen would keep the content.
    private static let leave = "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    /// Opens the terminal of standard input and output again, because O_NONBLOCK on the inherited descriptors would
    /// also apply to the shell that shares them.
    static func open() throws(TerminalError) -> RawTerminal {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let name = ttyname(STDOUT_FILENO) else {
            throw TerminalError(
                "the live view needs a terminal on standard input and output; use 'tminus list' instead")
        }
        let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        var descriptor = Glibc.open(name, flags)
        // After su(1) the terminal device still belongs to the other user, but /dev/tty opens for everyone.
        if descriptor < 0 && errno == EACCES { descriptor = Glibc.open("/dev/tty", flags) }
        guard descriptor >= 0 else { throw TerminalError(String(cString: name), errno: errno) }
        var former = termios()
        guard tcgetattr(descriptor, &former) == 0 else {
            let code = errno
            close(descriptor)
            throw TerminalError("cannot read the terminal settings", errno: code)
        }
        return RawTerminal(descriptor: descriptor, former: former)
    }

    private init(descriptor: CInt, former: termios) {
        self.descriptor = descriptor
        self.former = former
    }

    /// The terminal's descriptor, for poll(2).
    var input: CInt { descriptor }

    /// The terminal's size, 80 by 24 if unknown.
    var size: ScreenSize {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown
            ? ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row)) : ScreenSize(columns: 80, rows: 24)
    }

    /// Enters raw mode and the alternate screen. Keys such as Ctrl-C still send signals.
    mutating func take() {
        var raw = former
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
        tcsetattr(descriptor, TCSADRAIN, &raw)
        isTaken = true
        write(Self.enter, or: Self.afterASecond())
    }

    /// Restores the former state. Gives up writing after a second, but always restores the settings.
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

    /// Reads the waiting bytes; nil if the terminal is gone.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// Writes the whole text, waiting for a slow terminal until `isEnding` returns true. Checks it at least every 100
    /// ms.
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
        // Like giveBack(), which a deinit cannot call.
        if isTaken {
            var former = former
            _ = Array(Self.leave.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            tcsetattr(descriptor, TCSANOW, &former)
        }
        close(descriptor)
    }
}
