internal import ArgumentParser
internal import Glibc
internal import TminusCore
internal import TminusDaemon
internal import TminusTooling

/// `tminus simulate`
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Show what would be sent between two instants.",
        discussion: """
            Runs the daemon's engine over the definitions in virtual time. Definitions count as first seen at --from, \
            and every delivery succeeds at once. Writes one line for each delivery to a sink and for each record of \
            firings not sent. Delivers nothing, writes no files, reads no secrets and needs no daemon.

            Messages, bodies and header fields are shown as the sink would send them, with (secret) in place of each \
            secret. A 'body' of a webhook and its header fields follow on indented lines. With --json, 'event' is the \
            CloudEvent, 'body' the text that the sink sends in its place, and 'headers' the header fields.

            Write dates as in 'at', 2026-12-01, '2026-12-01 09:00' or 2026-12-01T09:00+01:00, or in plain words such as \
            'tomorrow 9:00'. Without an offset they are local times of --tz. Exit status: 0, or 65 if a file has an error.
            """
    )

    @Option(help: ArgumentHelp("The start of the simulated span.", valueName: "time"))
    var from: String

    @Option(help: ArgumentHelp("The end of the simulated span.", valueName: "time"))
    var to: String

    @Option(
        name: .zone, help: ArgumentHelp("The time zone of these dates. Default: the machine's.", valueName: "zone"))
    var timezone: String?

    @Option(
        help: ArgumentHelp(
            "A span in which the daemon is down; it catches up afterwards. May be repeated.",
            valueName: "from/to"))
    var down: [String] = []

    @Option(
        help: ArgumentHelp("Play at this speed, such as 60x. Default: as fast as possible.", valueName: "factor"),
        transform: Self.factor)
    var speed: Double?

    @Option(help: ArgumentHelp("The directory with the definitions. Default: as for 'tminus run'.", valueName: "dir"))
    var config: String?

    @Flag(help: "Write each line as a JSON object with the sink and what it would send.")
    var json = false

    @OptionGroup var reading: FileReadingOptions

    func validate() throws {
        if let speed, speed < 0.001 { throw ValidationError("--speed must be at least 0.001x") }
    }

    func run() async throws {
        let script = try self.script()
        var result = try reportingFailure { () throws(ToolError) in try simulation(script) }
        StandardError.shared.warnOfMachineZone()
        StandardError.shared.write(DiagnosticFormat.text.render(result.diagnostics))
        if result.hasErrors { throw ExitStatus.badData }
        try await play(&result)
    }

    private func script() throws -> SimulationResult.Script {
        let zone = try timezone.map(GivenDate.zone) ?? MachineZone.current
        func instant(_ text: String, _ option: String) throws -> DateTimeText {
            let date = try GivenDate.read(text, for: option, in: zone)
            GivenDate.say(date, of: text, for: option)
            return .instant(date.instant)
        }
        let (start, end) = (try instant(from, "--from"), try instant(to, "--to"))
        let outages = try down.map { text -> (from: DateTimeText, to: DateTimeText) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw ValidationError("--down: expected two dates, as in 2026-12-01/2026-12-15")
            }
            return (from: try instant(parts[0], "--down"), to: try instant(parts[1], "--down"))
        }
        return SimulationResult.Script(from: start, to: end, outages: outages)
    }

    private func simulation(_ script: SimulationResult.Script) throws(ToolError) -> SimulationResult {
        var directory = try ConfigDirectory(config)
        reading.apply(to: &directory)
        return try SimulationResult.of(
            directory, script: script, isJSON: json, sinks: Daemon.standardSinks)
    }

    private func play(_ result: inout SimulationResult) async throws {
        let clock = ContinuousClock()
        let begin = clock.now
        var bytes: [UInt8] = []
        var held = 0
        while let instant = result.appendNext(to: &bytes) {
            if let speed {
                let due = begin + result.start.duration(to: instant) / speed
                if due > clock.now {
                    // Show the earlier lines before the wait and the line of this instant after it.
                    try StandardOutput.write(bytes[..<held])
                    bytes.removeFirst(held)
                    try await clock.sleep(until: due)
                }
                held = bytes.count
            } else if bytes.count > 1 << 16 {
                try StandardOutput.write(bytes[...])
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try StandardOutput.write(bytes[...])
    }

    private static func factor(_ text: String) throws -> Double {
        guard let factor = Double(text.hasSuffix("x") ? String(text.dropLast()) : text), factor > 0, factor.isFinite
        else {
            throw ValidationError("expected a factor such as 60x")
        }
        return factor
    }
}
