import Mustache
import Synchronization
import TminusCore

/// Renders a template with values that record which names it uses, and reports a name that no payload has.
///
/// It renders twice: with all values, so that each section is rendered, and with false values, so that each inverted section is.
enum TemplateProbe {
    /// The first problem of a compiled template.
    static func problem(of template: TextTemplate, _ text: String) -> TextTemplate.Problem? {
        // The library renders such tags as nothing.
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
        /// A name that is not there, and the names that are.
        typealias Miss = (name: String, values: [String])
        private let state = Mutex<(certain: Miss?, pending: [String: Miss])>((nil, [:]))

        var missing: Miss? { state.withLock { $0.certain ?? $0.pending.values.min { $0.name < $1.name } } }

        /// In a section the library looks a name up from the inside out, so a miss counts only if the outermost level misses it.
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
        /// Whether any name may be there, as with labels.
        var isOpen = false

        func child(named name: String) -> Any? {
            let value = isOpen ? "text" : values[name]
            log.note(name, isFound: value != nil, in: Array(values.keys), depth: depth)
            guard let members = value as? [String: Any] else { return value }
            return Mapping(values: members, depth: depth + 1, log: log, isOpen: name == "labels")
        }
    }
}

/// Sample deliveries to try templates with.
enum SampleDelivery {
    /// A text that reveals missing escapes.
    private static let text = "Say \"hi\" \\ & <go>,\n{tea}"

    /// Has all members that a payload can have, though no payload has all of them.
    static let full = {
        var delivery = reminder
        delivery.payload.failure = .init(
            delivery: "sample", action: .expiry, sink: "sample", reason: text, attempts: 1)
        delivery.payload.missed = .init(reason: .tooLate, count: 1)
        delivery.payload.elapsed = .init(nanoseconds: 1_800_000_000_000, text: "30 minutes")
        delivery.payload.isTest = true
        return delivery
    }()
    /// A reminder.
    static let reminder = delivery(.reminder)
    /// An expiry, which has fewer members.
    static let sparse = delivery(.expiry)

    private static func delivery(_ action: FiringAction.Kind) -> Delivery {
        guard let id = DefinitionID("sample") else { preconditionFailure("'sample' is an id") }
        let isReminder = action == .reminder
        let occurrence = Timestamp(seconds: 1_796_112_000)
        let due = occurrence.advanced(by: .seconds(-86_400))
        return Delivery(
            id: DeliveryID(definition: id, occurrence: occurrence, action: .expiry, sink: SinkKey("sample")),
            definition: id, occurrence: occurrence, action: action, sink: SinkKey("sample"), due: occurrence,
            attempt: 1, source: "/tminus/sample",
            payload: Payload(
                id: id.rawValue, kind: .event, name: text, description: isReminder ? text : nil, labels: [:],
                due: "2026-12-01T09:00:00+01:00", timezone: "Europe/Berlin",
                before: isReminder ? .init(nanoseconds: 86_400_000_000_000, text: "1 day") : nil,
                remaining: .init(nanoseconds: 86_400_000_000_000, text: "1 day"),
                scheduled: due, fired: due.advanced(by: .milliseconds(1)), late: 1_000_000, isCatchUp: false,
                occurrence: occurrence, message: text))
    }
}
