internal import ArgumentParser
internal import Glibc
internal import TminusCore
internal import TminusSystem

/// Writes a command's result to standard output. Unlike `print`, it reports write errors.
enum StandardOutput {
    /// Writes all bytes. Throws ``ExitStatus/inputOutput`` on an error, and success on EPIPE, when the reader has
    /// closed the pipe.
    static func write(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                if errno == EPIPE { throw ExitCode.success }
                StandardError.shared.write(
                    "tminus: cannot write to standard output: \(String(cString: strerror(errno)))\n")
                throw ExitStatus.inputOutput
            }
        }
    }

    /// Writes a text with hidden characters escaped.
    static func write(_ text: String) throws { try write(Array(VisibleText.lines(text).utf8)[...]) }

    /// Writes a text unchanged. Its colours are escape sequences; everything from outside in it must be escaped.
    static func write(styled text: String) throws { try write(Array(text.utf8)[...]) }
}
