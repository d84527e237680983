package import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

/// The result of `tminus simulate`: the real engine runs over the real files in virtual time and shows what it would
/// send to each sink. Nothing is delivered or written.
package struct SimulationResult: Sendable {
    /// The period of a simulation. Local times are in the zone of the machine.
    package struct Script: Sendable {
        /// The start; the definitions count as new then.
        package var from: DateTimeText
        /// The end, inclusive.
        package var to: DateTimeText
        /// The times at which the daemon is down.
        package var outages: [(from: DateTimeText, to: DateTimeText)]

        /// A simulation from one instant to another.
        package init(from: DateTimeText, to: DateTimeText, outages: [(from: DateTimeText, to: DateTimeText)] = []) {
            self.from = from
            self.to = to
            self.outages = outages
        }
    }

    /// All problems of the files, by place.
    package let diagnostics: [Diagnostic]
    /// The instant at which it starts.
    package let start: Timestamp

    private let renderer: SimulationRenderer
    private var playback: Playback

    /// Reads the directory and starts the simulation. If a file has an error, there is nothing to show.
    ///
    /// - Throws: ``ToolError`` if the directory cannot be used or the end is before the beginning.
    package static func of(
        _ directory: ConfigDirectory, script: Script, isJSON: Bool, sinks: [any Sink.Type]
    ) throws(ToolError) -> SimulationResult {
        try directory.requireExistence()
        let zones = SystemZoneDatabase()
        let zone = zones.systemZone
        let (start, end) = (script.from.instant(in: zone), script.to.instant(in: zone))
        guard start <= end else { throw ToolError(.usage, "the end of the simulation is before its beginning") }
        var outages: [Range<Timestamp>] = []
        for outage in script.outages {
            let (first, last) = (outage.from.instant(in: zone), outage.to.instant(in: zone))
            guard first < last else { throw ToolError(.usage, "--down: the end is not after the beginning") }
            outages.append(first..<last)
        }
        let contents = DirectoryReader(
            sizeLimit: directory.maxFileSize, allowsInsecurePermissions: directory.allowsInsecurePermissions
        ).read(directory: directory.path)
        let registry = SinkRegistry(sinks)
        var loader = DefinitionLoader(zones: zones, sinks: registry, displayRoot: directory.shown)
        let result = loader.load(contents, now: start)
        let set = result.isClean ? result.set : DefinitionSet()
        return SimulationResult(
            diagnostics: result.diagnostics, start: start,
            renderer: SimulationRenderer(
                set, root: directory.path, registry: registry, format: isJSON ? .json : .text, zone: zone,
                source: "/tminus/\(MachinePaths.hostName)"),
            playback: Playback(Simulation(set, from: start, to: end, outages: outages)))
    }

    /// Whether the files have an error; warnings do not count.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Appends the next line, with its line end, and returns its instant; nil at the end.
    package mutating func appendNext(to bytes: inout [UInt8]) -> Timestamp? {
        guard let entry = playback.next() else { return nil }
        renderer.append(entry, to: &bytes)
        return entry.at
    }
}

extension DateTimeText {
    /// The instant; a local time is resolved in `zone`.
    fileprivate func instant(in zone: Zone) -> Timestamp {
        switch self {
        case .instant(let instant): instant
        case .local(let local): zone.instant(of: local)
        }
    }
}
