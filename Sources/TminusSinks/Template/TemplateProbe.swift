import Mustache
import Synchronization
import TminusCore

/// Finds out which names a template uses, by letting it ask for them, and reports one that no payload has.
///
/// Twice: with everything present, so that each section is gone through, and with everything false, so that each inverted
/// one is.
enum TemplateProbe {
    /// The first problem of a compiled template.
    static func problem(of template: TextTemplate, _ text: String) -> TextTemplate.Problem? {
        // A tag of this kind would silently put in nothing.
        if ["{{>", "{{<", "{{$"].contains(where: text.contains) {
            return .init(message: "has a partial or a block; templates cannot include others")
        }
        let log = Log()
        let known = TemplateData(SampleDelivery.full).values
        _ = template.render(Mapping(values: known, depth: 0, log: log))
        _ = template.render(Mapping(values: known.mapValues { _ in false }, depth: 0, log: log))
        guard let missing = log.missing else { return nil }
        let names = missing.values.sorted()
        let hint = Suggestion.nearest(to: missing.name, in: names).map { ", did you mean '\($0)'?" }
        return .init(
            message: "names '\(missing.name)', which no payload has"
                + (hint ?? "; there are: \(names.joined(separator: ", "))"))
    }

    private final class Log: Sendable {
        /// A name that was asked for in vain, and the names that are there.
        typealias Miss = (name: String, values: [String])
        private let state = Mutex<(certain: Miss?, pending: [String: Miss])>((nil, [:]))

        var missing: Miss? { state.withLock { $0.certain ?? $0.pending.values.min { $0.name < $1.name } } }

        /// Within a section a name is sought from the inside out, so a miss counts only when the outermost does not have it.
        func note(_ name: String, isFound: Bool, in values: [String], depth: Int) {
            state.withLock { state in
                if depth == 0 { state.pending[name] = nil }
                guard !isFound else { return }
                if depth > 0 {
                    state.pending[name] = (name, values)
                } else if state.certain == nil {
                    state.certain = (name, values)
                }
            }
        }
    }

    private struct Mapping: MustacheParent {
        let values: [String: Any]
        let depth: Int
        let log: Log
        /// Whether any key may be there, as with labels.
        var isOpen = false

        func child(named name: String) -> Any? {
            let value = isOpen ? "text" : values[name]
            log.note(name, isFound: value != nil, in: Array(values.keys), depth: depth)
            guard let members = value as? [String: Any] else { return value }
            return Mapping(values: members, depth: depth + 1, log: log, isOpen: name == "labels")
        }
    }
}

/// Deliveries that no definition made, to try a template with.
enum SampleDelivery {
    /// A text that breaks what is quoted carelessly.
    private static let text = "Say \"hi\" \\ & <go>,\n{tea}"

    /// Everything that a payload can have, though none has all of it.
    static let full = {
        var delivery = reminder
        delivery.payload.failure = .init(
            delivery: "sample", action: .expiry, sink: "sample", reason: text, attempts: 1)
        delivery.payload.missed = .init(reason: .tooLate, count: 1)
        delivery.payload.elapsed = .init(nanoseconds: 1_800_000_000_000, text: "30 minutes")
        return delivery
    }()
    /// A reminder.
    static let reminder = delivery(.reminder)
    /// An expiry, which has less.
    static let sparse = delivery(.expiry)

    private static func delivery(_ action: FiringAction.Kind) -> Delivery {
        guard let id = DefinitionID("sample") else { preconditionFailure("'sample' is an id") }
        let isReminder = action == .reminder
        let occurrence = Timestamp(seconds: 1_796_112_000)
        return Delivery(
            id: DeliveryID(definition: id, occurrence: occurrence, action: .expiry, sink: SinkKey("sample")),
            definition: id, occurrence: occurrence, action: action, sink: SinkKey("sample"), due: occurrence,
            attempt: 1, source: "/tminus/sample",
            payload: Payload(
                id: id.rawValue, kind: .event, name: text, description: isReminder ? text : nil, labels: [:],
                due: "2026-12-01T09:00:00+01:00", timezone: "Europe/Berlin",
                before: isReminder ? .init(nanoseconds: 86_400_000_000_000, text: "1 day") : nil,
                remaining: .init(nanoseconds: 86_400_000_000_000, text: "1 day"),
                scheduled: "2026-11-30T08:00:00.000Z", fired: "2026-11-30T08:00:00.001Z", late: 1_000_000,
                isCatchUp: false, occurrence: "2026-12-01T08:00:00.000Z", message: text))
    }
}
