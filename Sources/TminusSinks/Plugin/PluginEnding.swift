import TminusCore
import TminusSystem

/// Why the process of a plug-in has ended or has to end.
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
    /// It closed its standard output and still runs.
    case closedOutput
    /// It closed its standard input and still runs.
    case closedInput
    /// It wrote nothing for the time limit of a delivery.
    case silent(Duration)
    /// It owes as many answers as it takes deliveries at once.
    case owing(Int)
    /// It wrote a line that is too long.
    case longLine
    /// It wrote too many lines that are not answers. Holds the last problem.
    case invalidLines(String)

    /// How long the process may take to end after the end of its input; zero for a plug-in that misbehaves.
    var grace: Duration {
        switch self {
        case .stop: .seconds(3)
        // It may be about to end: then its exit status says more.
        case .closedOutput, .closedInput: .seconds(1)
        default: .zero
        }
    }

    /// The reason in words that follow `the plug-in`.
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
        case .owing(let count): "has \(count) unanswered deliveries and accepts no more"
        case .longLine: "wrote a line of more than 64 KiB"
        case .invalidLines(let problem): "wrote too many invalid lines; it \(problem)"
        }
    }
}
