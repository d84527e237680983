import ArgumentParser
import Foundation
import Glibc
import TerminalTestSupport
import TminusControl
import TminusCore
import TminusTerminal

/// The live view over items that stand in for a daemon, for tests in a real terminal.
@main
struct WatchFixture: AsyncParsableCommand {
    @Flag(help: "Let time stand still, half a minute after that of the items.")
    var still = false

    @Option(help: "Show so many running timers in place of one item of each kind.")
    var timers: Int?

    @Flag(help: "Draw with ASCII characters.")
    var ascii = false

    @Option(help: "The background: dark or light.")
    var background: String?

    @Argument(help: "Begin with this item.")
    var id: String?

    func run() async throws {
        let isStill = still
        let now: @Sendable () -> Timestamp = { isStill ? Fixtures.after(.seconds(30)) : Self.now() }
        let items =
            timers.map { Self.timers($0, now()) }
            ?? (still ? Fixtures.all : Fixtures.all.map { Self.moved($0, to: now()) })
        let environment = ProcessInfo.processInfo.environment
        let style = Style(
            environment: environment, isTerminal: true, ascii: ascii,
            background: background.flatMap(Style.Background.init(rawValue:)))
        do {
            let end = try await WatchSession.run(
                feed: FixtureFeed(items, now: now), id: id, style: style, zones: Fixtures.zones, now: now)
            print("ended: \(end)")
        } catch {
            print("failed: \(error)")
            throw ExitCode(70)
        }
    }

    /// The item as though it had been sent at another moment.
    private static func moved(_ item: Item, to now: Timestamp) -> Item {
        var item = item
        item.asOf = now
        item.due = item.due.map { now.advanced(by: Fixtures.now.duration(to: $0)) }
        return item
    }

    private static func timers(_ count: Int, _ now: Timestamp) -> [Item] {
        (0..<count).map { number in
            let length = Duration.milliseconds(600_000 + number * 7_013)
            return Item(
                asOf: now, id: "timer-\(number)", kind: .timer, name: "Timer number \(number)", state: .running,
                due: now.advanced(by: length), remaining: length, total: length * 2)
        }
    }

    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
