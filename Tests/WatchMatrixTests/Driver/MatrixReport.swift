import Glibc
import TminusCore

/// The lines that `make test-watch` prints: number, title, mode, result, latency in milliseconds, reason, and whether the
/// latency is that of a common save.
enum MatrixReport {
    /// Adds a line to the file that `TMINUS_WATCH_REPORT` names, if it does.
    static func add(_ outcome: Outcome, of run: MatrixRun) {
        guard let path = getenv("TMINUS_WATCH_REPORT"), let file = fopen(path, "a") else { return }
        let (result, reason) =
            switch outcome.result {
            case .passed: ("passed", "")
            case .notRunnable(let reason): ("not runnable here", reason)
            case .failed(let faults): ("failed", faults.joined(separator: "; "))
            }
        let latency = outcome.latency.map { "\($0.nanoseconds / 1_000_000)" } ?? "-"
        let fields = [
            run.number, run.row.title, "\(run.mode)", result, latency, reason,
            outcome.isCommon ? "common" : "",
        ]
        fputs(fields.map(clean).joined(separator: "\t") + "\n", file)
        fclose(file)
    }

    private static func clean(_ field: String) -> String {
        String(field.map { $0 == "\t" || $0.isNewline ? " " : $0 })
    }
}
