import FoundationEssentials
package import TminusCore

/// The overrides of a definition in the form of the column `schedule.overrides`: a JSON object with instants in
/// nanoseconds.
package enum OverridesText {
    /// The stored form; nil if there are no overrides.
    package static func encode(_ overrides: Overrides) throws -> String? {
        guard !overrides.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Stored(overrides)), as: UTF8.self)
    }

    /// Decodes the stored form; nil means no overrides.
    package static func decode(_ text: String?) throws -> Overrides {
        guard let text else { return Overrides() }
        return try JSONDecoder().decode(Stored.self, from: Data(text.utf8)).overrides
    }
}

private struct Stored: Codable {
    struct Item: Codable {
        var occurrence: Int64?
        var until: Int64?
        var by: String
        var at: Int64
        var note: String?

        init(occurrence: Timestamp? = nil, until: Timestamp? = nil, _ origin: Overrides.Origin) {
            self.occurrence = occurrence?.nanoseconds
            self.until = until?.nanoseconds
            by = origin.by
            at = origin.at.nanoseconds
            note = origin.note
        }

        var origin: Overrides.Origin { Overrides.Origin(by: by, at: Timestamp(nanoseconds: at), note: note) }

        func instant(_ key: KeyPath<Item, Int64?>) throws -> Timestamp {
            guard let nanoseconds = self[keyPath: key] else { throw UnreadableRow(what: "what people have said") }
            return Timestamp(nanoseconds: nanoseconds)
        }
    }

    var mute: Item?
    var skip: Item?
    var snooze: Item?
    var restored: Int64?

    init(_ overrides: Overrides) {
        mute = overrides.mute.map { Item(until: $0.until, $0.origin) }
        skip = overrides.skip.map { Item(occurrence: $0.occurrence, $0.origin) }
        snooze = overrides.snooze.map { Item(occurrence: $0.occurrence, until: $0.until, $0.origin) }
        restored = overrides.restored?.nanoseconds
    }

    var overrides: Overrides {
        get throws {
            Overrides(
                mute: try mute.map { Overrides.Mute(until: try $0.instant(\.until), origin: $0.origin) },
                skip: try skip.map { Overrides.Skip(occurrence: try $0.instant(\.occurrence), origin: $0.origin) },
                snooze: try snooze.map {
                    Overrides.Snooze(
                        occurrence: try $0.instant(\.occurrence), until: try $0.instant(\.until), origin: $0.origin)
                },
                restored: restored.map { Timestamp(nanoseconds: $0) })
        }
    }
}
