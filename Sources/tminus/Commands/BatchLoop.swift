internal import Glibc
internal import TminusTooling

/// Reads questions from standard input and writes answers to standard output, one JSON object a line.
struct BatchLoop {
    private var batch = NextBatch()
    private var line: [UInt8] = []
    private var isTooLong = false
    private var answers: [UInt8] = []

    /// Answers all lines until the end of input. Answers are flushed before each blocking read, so a caller that waits
    /// for each answer before the next question never deadlocks.
    consuming func run() throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ExitStatus.inputOutput }
            if count == 0 { break }
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                take(rest[..<end])
                finishLine()
                rest = rest[(end + 1)...]
            }
            take(rest)
            try flush()
        }
        finishLine()
        try flush()
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        if line.count + bytes.count > NextBatch.longestLine { isTooLong = true }
        if isTooLong { line.removeAll() } else { line += bytes }
    }

    private mutating func finishLine() {
        if let answer = isTooLong ? NextBatch.tooLong : batch.answer(line) {
            answers += answer
            answers.append(UInt8(ascii: "\n"))
        }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    private mutating func flush() throws {
        var rest = answers[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw ExitStatus.inputOutput }
            rest = rest.dropFirst(count)
        }
        answers.removeAll(keepingCapacity: true)
    }
}
