internal import ArgumentParser
internal import TminusCore
internal import TminusDaemon

/// The options for reminders and for the sinks of reminders and expiries.
struct ActionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A reminder's lead time, such as '1 day', or several separated by commas. May be repeated.",
            valueName: "lead"))
    var remind: [String] = []

    @Option(
        help: ArgumentHelp(
            "A sink for the expiry: its id, or an inline sink such as 'shell: ./hook.sh'. May be repeated.",
            valueName: "sink"))
    var onExpiry: [String] = []

    @Option(help: ArgumentHelp("A command line to run at the expiry.", valueName: "command"))
    var then: String?

    @Option(help: ArgumentHelp("A sink for reminders. May be repeated.", valueName: "sink"))
    var onReminder: [String] = []

    /// The definition's keys for these options.
    var entries: [Node.Entry] {
        var entries: [Node.Entry] = []
        let leads = remind.flatMap { $0.split(separator: ",") }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
        entries.add("remind", list: leads.map { Node(.scalar($0)) })
        entries.add("on-reminder", list: onReminder.map(Self.action))
        entries.add("on-expiry", list: onExpiry.map(Self.action) + (then.map { [Self.sink("shell", $0)] } ?? []))
        return entries
    }

    /// Parses a sink id, a webhook URL or an inline sink: `team-chat`, `https://example.com/hook`, `shell: ./hook.sh`.
    static func action(_ text: String) -> Node {
        if text.hasPrefix("https://") || text.hasPrefix("http://") { return sink("webhook", text) }
        for kind in Daemon.standardSinks.map({ $0.kind }) where text.hasPrefix("\(kind): ") {
            return sink(kind, String(text.dropFirst(kind.count + 1).drop { $0 == " " }))
        }
        return Node(.scalar(text))
    }

    private static func sink(_ kind: String, _ value: String) -> Node {
        Node(.mapping([Node.Entry(key: kind, value: Node(.scalar(value)))]))
    }
}
