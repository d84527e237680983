internal import ArgumentParser
internal import TminusControl
internal import TminusCore
internal import TminusTerminal
internal import TminusTooling

/// `tminus deliveries`
struct Deliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "Show deliveries and what each sink answered; retry or discard dead ones.",
        discussion: """
              tminus deliveries --only dead
              tminus deliveries --id launch --sink team-chat
              tminus deliveries retry 6207e08e4545a343ff3588ffe3bf560a
              tminus deliveries discard 6207e08e4545a343ff3588ffe3bf560a

            Give delivery ids in full, as the list shows them.
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

    @Option(help: ArgumentHelp("One delivery, with all its attempts.", valueName: "id"))
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
        commandName: "retry", abstract: "Retry dead, expired or discarded deliveries from the first attempt.")

    @Argument(help: "The delivery ids.")
    var ids: [String]

    @Flag(help: "Write a JSON array of the ids.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        try await control.ask { client in for id in ids { try await client.retry(delivery: id) } }
        try StandardOutput.write(json ? try ids.jsonLine : "queued for retry: \(ids.count)\n")
    }
}

/// `tminus deliveries discard`
struct DiscardDelivery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "discard", abstract: "Discard dead deliveries.")

    @Argument(help: "The delivery ids.")
    var ids: [String]

    @Flag(help: "Write a JSON array of the ids.")
    var json = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func run() async throws {
        try await control.ask { client in for id in ids { try await client.discard(delivery: id) } }
        try StandardOutput.write(json ? try ids.jsonLine : "discarded: \(ids.count)\n")
    }
}

extension [String] {
    /// The strings as one line of JSON.
    fileprivate var jsonLine: String {
        get throws { String(decoding: try ControlJSON.encode(self), as: UTF8.self) + "\n" }
    }
}
