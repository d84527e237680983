internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus mute`
struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Control.Verb.mute.rawValue,
        abstract: "Send nothing until an instant, for one definition or for all.",
        discussion: """
              tminus mute backup --until '2026-12-01 18:00' --note 'the disk is being changed'
              tminus mute --for 2h

            The mute ends by itself or with 'tminus unmute'. Without an id it also covers definitions added while it \
            lasts; 'tminus unmute ID' exempts one, and 'tminus status' shows the mute.
            """
    )

    @Argument(
        help: "The id of the event, timer or stopwatch. Default: all, including those added later.",
        completion: IDCompletion.kind)
    var id: String?

    @Option(
        help: ArgumentHelp(
            "The end: '2026-12-01 18:00' or 'tomorrow 9:00' in the time zone of --tz, or with an offset.",
            valueName: "time"))
    var until: String?

    @Option(
        name: .zone,
        help: ArgumentHelp(
            "The time zone of --until. Default: that of the definition, or the machine's without an id.",
            valueName: "zone"))
    var timezone: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("The length, such as '2h'.", valueName: "duration"))
    var length: String?

    @Option(help: "The reason, recorded for later readers.")
    var note: String?

    @Flag(help: "Write the items as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func validate() throws {
        if until != nil, length != nil { throw ValidationError("give only one of --until and --for") }
        if until == nil, length == nil { throw ValidationError("give --until or --for: a mute needs an end") }
    }

    func run() async throws {
        let end = try await self.end()
        let body = ControlBody(length: length, until: end?.instant.rfc3339, note: note)
        try await control.perform(.mute, id, body, json: json)
    }

    private func end() async throws -> PlainDate? {
        guard let until else { return nil }
        let zone: Zone
        if let timezone {
            zone = try GivenDate.zone(named: timezone)
        } else {
            // First, so that a wrong date is reported without a daemon too.
            _ = try GivenDate.read(until, for: "--until", in: MachineZone.current)
            zone = try await control.zone(of: id)
        }
        let date = try GivenDate.read(until, for: "--until", in: zone, allowsPast: false)
        GivenDate.say(date, of: until, for: "--until")
        return date
    }
}

/// `tminus unmute`
struct Unmute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Control.Verb.unmute.rawValue,
        abstract: "End the mute, skip and snooze of one definition, or all mutes.",
        discussion: """
            Without an id, this ends every mute, also that of all definitions, so later additions are not muted. Skips and \
            snoozes stay.
            """)

    @Argument(
        help: "The id of the event, timer or stopwatch. Default: all that are muted.",
        completion: IDCompletion.kind)
    var id: String?

    @Option(help: "The reason, recorded for later readers.")
    var note: String?

    @Flag(help: "Write the items as JSON.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        try await control.perform(.unmute, id, ControlBody(note: note), json: json)
    }
}

extension ControlOptions {
    /// Applies the control to one item, or to all without an id, and prints the new states.
    fileprivate func perform(
        _ verb: Control.Verb, _ id: String?, _ body: ControlBody, json: Bool
    ) async throws {
        let list = try await ask { client in
            if let id { return ItemList(items: [try await client.perform(verb, id, body)]) }
            return try await client.performOnAll(verb, body)
        }
        StandardError.shared.warn(of: list.unreadable)
        let items = list.items
        if json {
            try StandardOutput.write(
                id == nil ? Item.json(items)[...] : (items.flatMap(\.json) + Array("\n".utf8))[...])
        } else if id == nil {
            try StandardOutput.write("\(verb.rawValue)d: \(items.count)\n")
        } else {
            try StandardOutput.write(items.map { AnswerText.line($0, after: verb) + "\n" }.joined())
        }
    }
}
