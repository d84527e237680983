package import TminusCore

/// Renders a simulation, one line per entry. A delivery is shown as its sink would send it.
package struct SimulationRenderer: Sendable {
    /// The format of a line.
    package enum Format: Sendable {
        /// For people: instant, id, action, sink, message, in columns. A text from a template of the sink follows on
        /// indented lines, after the header fields that go with it.
        case text
        /// For programs: one JSON object.
        case json
    }

    private let format: Format
    private let zone: Zone
    private let source: String
    private var sinks: [SinkKey: any Sink] = [:]
    private var titles: [SinkKey: String] = [:]
    private var widths = (id: 0, action: 0, sink: 1)
    private var actions: [FiringAction: String] = [:]

    /// Creates a renderer of the deliveries of `set`, the definitions of the config directory `root`, to sinks of the kinds
    /// in `registry`. Text lines show instants in `zone`; `source` is the source of the CloudEvents.
    package init(
        _ set: DefinitionSet, root: String, registry: SinkRegistry, format: Format, zone: Zone, source: String
    ) {
        self.format = format
        self.zone = zone
        self.source = source
        for (key, spec) in set.sinks {
            titles[key] = spec.title
            sinks[key] = registry.make(spec, root: root, reporting: DiagnosticBag(file: ""))?.sink
        }
        for definition in set.definitions.values {
            widths.id = max(widths.id, definition.id.rawValue.utf8.count)
            for action in definition.reminders.map(\.action) + [.expiry] {
                actions[action] = action.words
                widths.action = max(widths.action, action.words.utf8.count)
            }
            for key in definition.onExpiry + definition.onFailure + definition.reminders.flatMap(\.actions) {
                widths.sink = max(widths.sink, titles[key].map(VisibleText.escaped)?.unicodeScalars.count ?? 0)
            }
        }
    }

    /// Appends the line of an entry, with its line break.
    package func append(_ entry: Playback.Entry, to bytes: inout [UInt8]) {
        switch (format, entry.event) {
        case (.text, .delivery(let firing, let target)):
            let draft = draft(firing, target)
            let late = firing.payload.isCatchUp ? "late: " : ""
            line(
                entry.at, firing.definition, firing.action, titles[target.sink] ?? target.sink.rawValue,
                late + draft.delivery.payload.message, &bytes)
            if case .text(let text) = draft.content { lines(draft.headers, text, &bytes) }
        case (.text, .omission(let omission)):
            let times = omission.count == 1 ? "due" : "\(omission.count) times, the last due"
            line(
                entry.at, omission.definition, omission.action, "-",
                "not sent, \(omission.reason.rawValue): \(times) \(omission.due.rfc3339(in: zone))", &bytes)
        case (.json, .delivery(let firing, let target)):
            let draft = draft(firing, target)
            object(&bytes) { object in
                object.member("at", entry.at.rfc3339)
                object.member("sink", target.sink.rawValue)
                object.member("sink-title", titles[target.sink] ?? target.sink.rawValue)
                object.member("event") { CloudEvent.members(of: draft.delivery, to: &$0) }
                object.write(body: draft.body, draft.headers)
            }
        case (.json, .omission(let omission)):
            object(&bytes) { object in
                object.member("at", entry.at.rfc3339)
                object.member("omitted") { members in
                    members.member("id", omission.definition.rawValue)
                    members.member("action", omission.action.rawValue)
                    members.member("occurrence", omission.occurrence.rfc3339)
                    members.member("due", omission.due.rfc3339)
                    members.member("reason", omission.reason.rawValue)
                    members.member("message", omission.reason.words)
                    members.member("count", omission.count)
                }
            }
        }
    }

    private func draft(_ firing: Firing, _ target: Firing.Target) -> DeliveryDraft {
        let delivery = Delivery(firing, to: target, source: source)
        return sinks[target.sink]?.draft(of: delivery) ?? DeliveryDraft(delivery)
    }

    private func lines(_ headers: [DeliveryDraft.Field], _ text: String, _ bytes: inout [UInt8]) {
        let lines = headers.map { "\($0.name): \($0.value)" } + text.split(whereSeparator: \.isNewline).map(String.init)
        for line in lines { bytes += "    \(VisibleText.escaped(line))\n".utf8 }
    }

    private func line(
        _ instant: Timestamp, _ id: DefinitionID, _ action: FiringAction, _ sink: String, _ message: String,
        _ bytes: inout [UInt8]
    ) {
        func column(_ text: String, _ count: Int, _ width: Int) {
            bytes += text.utf8
            for _ in 0..<max(0, width - count) + 2 { bytes.append(0x20) }
        }
        bytes += instant.rfc3339(in: zone).utf8
        bytes += [0x20, 0x20]
        column(id.rawValue, id.rawValue.utf8.count, widths.id)
        let action = actions[action] ?? action.words
        column(action, action.utf8.count, widths.action)
        let sink = VisibleText.escaped(sink)
        column(sink, sink.unicodeScalars.count, widths.sink)
        bytes += VisibleText.escaped(message).utf8
        bytes.append(0x0A)
    }

    private func object(_ bytes: inout [UInt8], _ members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object(members)
        bytes += writer.bytes
        bytes.append(0x0A)
    }
}
