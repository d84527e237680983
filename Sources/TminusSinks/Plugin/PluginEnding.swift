import TminusCore
import TminusSystem

/// Why the process of a plug-in is ended, or has ended.
enum PluginEnding: Sendable, Equatable {
    /// The sink is shut down.
    case stop
    /// It ended by itself.
    case exited(ProgramStatus)
    /// It could not be started.
    case notStarted(String)
    /// It was not ready in time.
    case neverReady(Duration)
    /// It speaks another version of the protocol.
    case version(Int)
    /// It closed its standard output and lives on.
    case closedOutput
    /// It closed its standard input and lives on.
    case closedInput
    /// It has said nothing for the time limit of a delivery.
    case silent(Duration)
    /// It owes as many answers as it takes deliveries.
    case owing(Int)
    /// It wrote a line that is too long.
    case longLine
    /// It wrote too many lines that are no answers; the last problem.
    case babbling(String)

    /// How long the process may take to end once its input has ended; a plug-in that misbehaves gets none.
    var grace: Duration {
        switch self {
        case .stop: .seconds(3)
        // It may be about to end: then its exit status says more.
        case .closedOutput, .closedInput: .seconds(1)
        default: .zero
        }
    }

    /// In words that go with the name of the program.
    var text: String {
        switch self {
        case .stop: "was stopped"
        case .exited(.exited(0)): "ended"
        case .exited(.exited(let code)): "ended with exit status \(code)"
        case .exited(let status): "was \(status.text)"
        case .notStarted(let reason): "could not be started: \(reason)"
        case .neverReady(let limit): "was not ready within \(PlainText.duration(limit))"
        case .version(let version):
            "speaks version \(version) of the protocol, this tminus speaks \(PluginMessage.version)"
        case .closedOutput: "closed its standard output"
        case .closedInput: "closed its standard input"
        case .silent(let limit): "said nothing for \(PlainText.duration(limit))"
        case .owing(let count): "owes \(count) answers and takes no more"
        case .longLine: "wrote a line of more than 64 KiB"
        case .babbling(let problem): "babbles; it \(problem)"
        }
    }
}
