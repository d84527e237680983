package import TminusCore

/// Renders a simulation, one line per entry.
package struct SimulationRenderer: Sendable {
    /// The format of a line.
    package enum Format: Sendable {
        /// For people: instant, id, action, sink, message, in columns.
        case text
        /// For programs: one JSON object.
        case json
    }

    private let format: Format
    private let zone: Zone
    private let source: String
    private var sinks: [SinkKey: String] = [:]
    private var widths = (id: 0, action: 0, sink: 1)
    private var actions: [FiringAction: String] = [:]

    /// Creates a renderer of the deliveries of `set`. Text lines show instants in `zone`; `source` is the source of the
    /// CloudEvents.
    package init(_ set: DefinitionSet, format: Format, zone: Zone, source: String) {
        self.format = format
        self.zone = zone
        self.source = source
        for (key, spec) in set.sinks { sinks[key] = VisibleText.escaped(spec.name ?? spec.kind) }
        for definition in set.definitions.values {
            widths.id = max(widths.id, definition.id.rawValue.utf8.count)
            for action in definition.reminders.map(\.action) + [.expiry] {
                actions[action] = action.words
                widths.action = max(widths.action, action.words.utf8.count)
            }
            for key in definition.onExpiry + definition.onFailure + definition.reminders.flatMap(\.actions) {
                widths.sink = max(widths.sink, sinks[key]?.unicodeScalars.count ?? 0)
            }
        }
    }

    /// Appends the line of an entry, with its line break.
    package func append(_ entry: Playback.Entry, to bytes: inout [UInt8]) {
        switch (format, entry.event) {
        case (.text, .delivery(let firing, let target)):
            let late = firing.payload.isCatchUp ? "late: " : ""
            line(
                entry.at, firing.definition, firing.action, sinks[target.sink] ?? target.sink.rawValue,
                late + firing.payload.message,
                &bytes)
        case (.text, .omission(let omission)):
            let times = omission.count == 1 ? "due" : "\(omission.count) times, the last due"
            line(
                entry.at, omission.definition, omission.action, "-",
                "not sent, \(omission.reason.rawValue): \(times) \(omission.due.rfc3339(in: zone))", &bytes)
        case (.json, .delivery(let firing, let target)):
            let delivery = Delivery(firing, to: target, source: source)
            object(&bytes) { object in
                object.member("at", entry.at.rfc3339)
                object.member("sink", target.sink.rawValue)
                object.member("event") { CloudEvent.members(of: delivery, to: &$0) }
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
                    members.member("count", omission.count)
                }
            }
        }
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
