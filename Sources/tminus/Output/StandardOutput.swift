internal import ArgumentParser
internal import Glibc
internal import TminusSystem

/// Standard output for what a command is asked for: an error of a write is not lost, as it would be with `print`.
enum StandardOutput {
    /// Writes all of it. Errors: ``ExitStatus/inputOutput``; success for a reader that has seen enough.
    static func write(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                if errno == EPIPE { throw ExitCode.success }
                StandardError.shared.write(
                    "tminus: standard output cannot be written: \(ErrorText.last)\n")
                StandardError.shared.flush()
                throw ExitStatus.inputOutput
            }
        }
    }

    /// Writes a text as it is.
    static func write(_ text: String) throws { try write(Array(text.utf8)[...]) }
}
