public import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

/// What `tminus simulate` shows: the real engine over the real files in virtual time, and what each sink would be sent. Needs no
/// daemon, delivers nothing and writes nothing.
public struct SimulationResult: Sendable {
    /// What is simulated. Local times are those of the machine's zone.
    public struct Script: Sendable {
        /// Where it begins: as if the definitions were seen for the first time then.
        public var from: DateTimeText
        /// Where it ends; this instant is still in it.
        public var to: DateTimeText
        /// When the daemon is down.
        public var outages: [(from: DateTimeText, to: DateTimeText)]

        /// A simulation from one instant to another.
        public init(from: DateTimeText, to: DateTimeText, outages: [(from: DateTimeText, to: DateTimeText)] = []) {
            self.from = from
            self.to = to
            self.outages = outages
        }
    }

    /// Every problem of the files, in the order of their places.
    public let diagnostics: [Diagnostic]
    /// The instant at which it begins.
    public let start: Timestamp

    private let renderer: SimulationRenderer
    private var playback: Playback

    /// Reads the directory of `options`, and begins. With an error in a file there is nothing to show.
    ///
    /// - Throws: ``DaemonError`` if the directory cannot be used or the end is before the beginning.
    public static func of(
        _ options: DaemonOptions, script: Script, isJSON: Bool, sinks: [any Sink.Type]
    ) throws(DaemonError) -> SimulationResult {
        guard MachinePaths.firstDirectory(of: [options.configDirectory]) != nil else {
            throw DaemonError(.inputOutput, "\(options.shownConfigDirectory): there is no such directory")
        }
        let zones = SystemZoneDatabase()
        let zone = zones.systemZone
        let (start, end) = (script.from.instant(in: zone), script.to.instant(in: zone))
        guard start <= end else { throw DaemonError(.usage, "the end of the simulation is before its beginning") }
        var outages: [Range<Timestamp>] = []
        for outage in script.outages {
            let (first, last) = (outage.from.instant(in: zone), outage.to.instant(in: zone))
            guard first < last else { throw DaemonError(.usage, "--down: the end is not after the beginning") }
            outages.append(first..<last)
        }
        let contents = DirectoryReader(
            sizeLimit: options.maxFileSize, allowsInsecurePermissions: options.allowsInsecurePermissions
        ).read(directory: options.configDirectory)
        var loader = DefinitionLoader(
            zones: zones, sinks: SinkRegistry(sinks), displayRoot: options.shownConfigDirectory)
        let result = loader.load(contents, now: start)
        let set = result.isClean ? result.set : DefinitionSet()
        return SimulationResult(
            diagnostics: result.diagnostics, start: start,
            renderer: SimulationRenderer(
                set, format: isJSON ? .json : .text, zone: zone, source: "/tminus/\(MachinePaths.hostName)"),
            playback: Playback(Simulation(set, from: start, to: end, outages: outages)))
    }

    /// Whether the files have an error; warnings do not count.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Appends the line of what comes next, with its end, and returns when it happens; nil at the end.
    public mutating func appendNext(to bytes: inout [UInt8]) -> Timestamp? {
        guard let entry = playback.next() else { return nil }
        renderer.append(entry, to: &bytes)
        return entry.at
    }
}

extension DateTimeText {
    /// The instant; of a local time, on the clock of `zone`.
    fileprivate func instant(in zone: Zone) -> Timestamp {
        switch self {
        case .instant(let instant): instant
        case .local(let local): zone.instant(of: local)
        }
    }
}
