import Glibc
import Testing
import TminusWatch

/// A row in one of its modes.
struct MatrixRun: Sendable, CustomTestStringConvertible {
    let row: Row
    let mode: WatchOptions.Mode

    var testDescription: String { "\(number) \(row.title) (\(mode))" }

    /// The number in the matrix: saves that are polled are row 41.
    var number: String { isPolledSave ? "41/\(row.number)" : "\(row.number)" }

    private var isPolledSave: Bool { mode == .poll && row.number < 30 }
    private var position: Int { isPolledSave ? 41 : row.number }

    /// The rows that `TMINUS_WATCH_MATRIX` names: `all`, or numbers with commas; without it the quick ones.
    static var chosen: [MatrixRun] {
        let setting = getenv("TMINUS_WATCH_MATRIX").map { String(cString: $0) }
        let numbers = Set((setting ?? "").split(separator: ",").compactMap { Int($0) })
        let chosen = Row.all.flatMap { row in row.modes.map { MatrixRun(row: row, mode: $0) } }
            .filter { run in
                switch setting {
                case nil: run.row.quickModes.contains(run.mode)
                case "all": true
                default: numbers.contains(run.position)
                }
            }
        return chosen.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
            .map(\.element)
    }

    /// Whether notifications are compiled in.
    var isCompiled: Bool {
        #if Inotify
            true
        #else
            mode == .poll
        #endif
    }

    /// Runs it, records what is wrong, and adds a line to the report.
    func perform() async throws {
        let outcome = try await Driver(row: row, mode: mode).run()
        MatrixReport.add(outcome, of: self)
        if case .failed(let faults) = outcome.result {
            Issue.record("\(testDescription): \(faults.joined(separator: "; "))")
        }
    }
}
