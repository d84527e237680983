import Foundation
import Testing
import TminusCore

@testable import TminusSystem

/// A line of the `cron_*` and `rrule_*` families.
struct TriggerVector: Decodable, Sendable, CustomStringConvertible {
    var expr: String?
    var rrule: String?
    var dtstart: String?
    var tz: String?
    var from: String?
    var n: Int?
    var next: [String]?
    var occurrences: [Occurrence]?
    var topic: String?
    /// What each source answers; the text `error` or instants.
    var answers: [String: Answer]?
    var alternatives: [String: Answer]?

    struct Occurrence: Decodable, Sendable { var utc: String }

    enum Answer: Decodable, Sendable, Equatable {
        case text(String)
        case instants([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? .instants(container.decode([String].self))) ?? .text(container.decode(String.self))
        }
    }

    var description: String { "\(expr ?? rrule ?? "") \(dtstart ?? from ?? "") \(tz ?? "")" }

    static let zones = SystemZoneDatabase(.init(directory: "/usr/share/zoneinfo"))

    static func load(_ name: String) throws -> [TriggerVector] {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "jsonl", subdirectory: "Vectors"))
        return try Data(contentsOf: url).split(separator: 0x0A).map {
            try JSONDecoder().decode(TriggerVector.self, from: Data($0))
        }
    }

    var zone: Zone {
        get throws { try #require(Self.zones.zone(named: tz ?? "UTC")) }
    }

    /// The first occurrences of the cron expression after `from`.
    func cronOccurrences(_ count: Int) throws -> [String] {
        let trigger = Trigger.cron(try CronTrigger(CronExpression.parse(expr ?? "").get(), in: zone))
        guard case .instant(let from) = try DateTimeText.parse(from ?? "").get() else { return [] }
        return trigger.occurrences(after: from, count)
    }

    /// The first occurrences of the recurrence rule.
    func ruleOccurrences(_ count: Int) throws -> [String] {
        let trigger = Trigger.recurrence(
            try RecurrenceTrigger(
                RecurrenceRule.parse(rrule ?? "").get(), in: zone,
                bounds: TriggerBounds(start: DateOrTime.parse(dtstart ?? "").get())))
        return trigger.occurrences(after: .distantPast, count)
    }
}

extension Trigger {
    /// The first occurrences after an instant, in RFC 3339 with whole seconds.
    func occurrences(after instant: Timestamp, _ count: Int) -> [String] {
        var result: [String] = []
        var last = instant
        while result.count < count, let next = next(after: last) {
            result.append(next.rfc3339.replacing(".000Z", with: "Z"))
            last = next
        }
        return result
    }
}
