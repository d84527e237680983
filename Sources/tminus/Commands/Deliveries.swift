internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus deliveries`
struct Deliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "Show deliveries and what each sink answered; retry or discard them.",
        discussion: """
              tminus deliveries --only dead
              tminus deliveries --id launch --sink team-chat
              tminus deliveries retry 6207e08e
              tminus deliveries retry --sink team-chat
              tminus deliveries discard --sink team-chat

            The list shows the first 8 of the 32 digits of an id. Commands take the first 6 digits or more, as long as \
            no other id begins with them. --json and --delivery show whole ids.
            """,
        subcommands: [ListDeliveries.self, RetryDelivery.self, DiscardDelivery.self],
        defaultSubcommand: ListDeliveries.self
    )
}

/// `tminus deliveries list`
struct ListDeliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show deliveries, newest first.")

    @Option(name: .customLong("id"), help: ArgumentHelp("Only deliveries of this definition.", valueName: "id"))
    var definition: String?

    @Option(help: "Only deliveries to this sink.")
    var sink: String?

    @Option(
        help: ArgumentHelp("Only deliveries in this state: \(states). May be repeated.", valueName: "state"),
        transform: state)
    var only: [DeliveryState] = []

    @Option(
        help: ArgumentHelp(
            "One delivery, with all its attempts. The first digits of its id are enough.", valueName: "id"))
    var delivery: String?

    @OptionGroup var page: PageOptions

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        let (found, zones) = try await control.ask { client in
            let found = try await client.deliveries(
                id: delivery, definition: definition, sink: sink, states: only.map(\.rawValue), limit: page.limit)
            return (found, try await client.zones(of: page.json ? [] : found.map(\.definition)))
        }
        try page.write(found) {
            DeliveryText.render($0, isDetailed: delivery != nil, zones: zones, otherwise: MachineZone.current)
        }
    }

    private static let states = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")

    private static func state(_ text: String) throws -> DeliveryState {
        guard let state = DeliveryState(rawValue: text) else { throw ValidationError("expected one of \(states)") }
        return state
    }
}

/// `tminus deliveries retry`
struct RetryDelivery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Retry deliveries now.",
        discussion: """
            One that waits for a retry is tried at once. One that is dead, expired or discarded is tried as if it were new, \
            and does not expire again. --sink and --definition retry all that are dead, expired or wait for a retry.

              tminus deliveries retry 6207e08e
              tminus deliveries retry --sink team-chat
            """)

    @OptionGroup var chosen: ChosenDeliveries

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        try await chosen.apply(
            control, "queued for retry", one: { try await $0.retry(delivery: $1) },
            all: { try await $0.retryAll(definition: $1, sink: $2) })
    }
}

/// `tminus deliveries discard`
struct DiscardDelivery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Discard deliveries that are not delivered.",
        discussion: """
            Discards pending, queued, running, dead and expired deliveries. A running attempt is cancelled. A discarded \
            delivery is not sent again, except by 'tminus deliveries retry'.

              tminus deliveries discard 6207e08e
              tminus deliveries discard --sink team-chat
            """)

    @OptionGroup var chosen: ChosenDeliveries

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        try await chosen.apply(
            control, "discarded", one: { try await $0.discard(delivery: $1) },
            all: { try await $0.discardAll(definition: $1, sink: $2) })
    }
}

/// The deliveries that a command changes, and how it answers.
struct ChosenDeliveries: ParsableArguments {
    @Argument(help: "The delivery ids, or at least 6 digits of each.")
    var ids: [String] = []

    @Option(help: ArgumentHelp("All deliveries of this definition.", valueName: "id"))
    var definition: String?

    @Option(help: "All deliveries to this sink.")
    var sink: String?

    @Flag(help: "Write a JSON array of the ids as given; with --definition or --sink an object with the count.")
    var json = false

    func validate() throws {
        guard ids.isEmpty == (definition != nil || sink != nil) else {
            throw ValidationError("give delivery ids, or --definition or --sink")
        }
    }

    /// Changes these deliveries, and writes how many there were.
    func apply(
        _ control: ControlOptions, _ done: String,
        one: @escaping @Sendable (ControlClient, String) async throws -> Void,
        all: @escaping @Sendable (ControlClient, String?, String?) async throws -> Int
    ) async throws {
        guard ids.isEmpty else {
            try await control.ask { client in for id in ids { try await one(client, id) } }
            return try StandardOutput.write(json ? try ids.jsonLine : "\(done): \(ids.count)\n")
        }
        let count = try await control.ask { try await all($0, definition, sink) }
        try StandardOutput.write(json ? try CountAnswer(count: count).jsonLine : "\(done): \(count)\n")
    }
}

extension Encodable {
    /// The value as one line of JSON.
    fileprivate var jsonLine: String {
        get throws { String(decoding: try ControlJSON.encode(self), as: UTF8.self) + "\n" }
    }
}
