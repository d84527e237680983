internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TminusControl
internal import TminusTerminal
internal import TminusTooling

/// `tminus watch`
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch countdowns live and control them with keys.",
        discussion: """
            Shows all countdowns with bars, or one with rings or an analogue face. Press '?' for the keys, 'q' to \
            leave. Closing the view neither stops nor changes anything.
            """)

    @Argument(
        help: "The id of the event, timer or stopwatch to open. Default: all of them.",
        completion: IDCompletion.kind)
    var id: String?

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(help: "The terminal's background: dark or light. Default: from $COLORFGBG, else dark.")
    var background: Style.Background?

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        // Check for a daemon and the id first: an error message is better than an empty screen.
        try await control.ask { client in
            if let id { _ = try await client.item(id) }
        }
        let feed = DaemonFeed(socket: control.socket, state: control.state)
        let style = Style(
            environment: ProcessInfo.processInfo.environment, isTerminal: true, ascii: ascii, background: background)
        do {
            let end = try await WatchSession.run(
                feed: feed, id: id, style: style, zones: MachineZone.zones, now: { MachineZone.now })
            // Die by the same signal with its default action, so the parent process sees the true cause.
            if case .signal(let number) = end {
                signal(number, SIG_DFL)
                raise(number)
            }
        } catch {
            StandardError.shared.report("tminus: \(error)")
            throw ExitStatus.usage
        }
    }
}

extension Style.Background: ExpressibleByArgument {}
