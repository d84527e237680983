internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TminusControl
internal import TminusTerminal
internal import TminusTooling

/// `tminus watch`
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch countdowns live, and control them by keys.",
        discussion: """
            All countdowns with bars, or one alone with rings or an analogue face. '?' shows the keys, 'q' leaves. \
            Closing the view neither stops nor changes anything.
            """)

    @Argument(
        help: "The id of the event, timer or stopwatch to begin with. Default: all of them.",
        completion: IDCompletion.kind)
    var id: String?

    @Flag(help: "Draw with ASCII characters alone.")
    var ascii = false

    @Option(help: "What is behind the text: dark or light. Default: what $COLORFGBG says, else dark.")
    var background: Style.Background?

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        // Whoever has no daemon, or means another id, is told so and not shown an empty screen.
        try await control.ask { client in
            if let id { _ = try await client.item(id) }
        }
        let feed = DaemonFeed(socket: control.socket, state: control.state)
        let style = Style(
            environment: ProcessInfo.processInfo.environment, isTerminal: true, ascii: ascii, background: background)
        do {
            let end = try await WatchSession.run(
                feed: feed, id: id, style: style, zones: MachineZone.zones, now: { MachineZone.now })
            // Whoever started it sees that a signal ended it, as though nothing had been done about it.
            if case .signal(let number) = end {
                signal(number, SIG_DFL)
                raise(number)
            }
        } catch {
            StandardError.shared.write("tminus: \(error)\n")
            StandardError.shared.flush()
            throw ExitStatus.usage
        }
    }
}

extension Style.Background: ExpressibleByArgument {}
