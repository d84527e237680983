package import TminusCore

/// Renders upcoming occurrences for programs.
package enum PreviewJSON {
    /// A JSON array with one object per definition or rule, one per line.
    ///
    /// A rule outside of a file has no `id`, `kind`, `name`, `enabled`, `file` and `line`. `rule` holds the key,
    /// its value in the normal form and the bounds in words. Instants are RFC 3339: `due` in UTC, `local` with the
    /// offset of the zone. `in` is the distance from `from`. An occurrence is `past` if only reminders after it are to
    /// come. `daylight-saving` says how the clock time `clock` was resolved: `moved`, or `first` or `second`
    /// of two; in `left-out` it is `left-out`.
    package static func render(_ previews: [SchedulePreview]) -> String {
        let objects = previews.map { preview in
            var writer = JSONWriter()
            writer.object { write(preview, to: &$0) }
            return "  " + String(decoding: writer.bytes, as: UTF8.self)
        }
        return objects.isEmpty ? "[]\n" : "[\n\(objects.joined(separator: ",\n"))\n]\n"
    }

    private static func write(_ preview: SchedulePreview, to object: inout JSONWriter) {
        if let definition = preview.definition {
            object.member("id", definition.id.rawValue)
            object.member("kind", definition.kind.rawValue)
            object.member("name", definition.name)
            object.member("enabled", definition.isEnabled)
            object.member("file", definition.origin.file)
            object.member("line", definition.origin.line)
        }
        object.member("rule") { rule in
            rule.member("key", preview.rule.key)
            rule.member("value", preview.rule.value)
            rule.member("bounds", texts: preview.rule.bounds)
        }
        object.member("timezone", preview.zone.name)
        object.member("from", preview.from.rfc3339)
        if let note = preview.note { object.member("note", note) }
        object.member("occurrences", objects: preview.occurrences) { object, occurrence in
            write(occurrence.instant, preview, to: &object)
            object.member("expiry", occurrence.expiry.rfc3339)
            object.member("past", occurrence.isPast)
            if let change = occurrence.clockChange {
                object.member("daylight-saving") { write(change, to: &$0) }
            }
            object.member("reminders", objects: occurrence.leads) { object, lead in
                write(lead.due, preview, to: &object)
                object.member("lead", lead.lead.iso8601)
                object.member("text", lead.lead.text)
                object.member("side", lead.side.rawValue)
                object.member("past", lead.isPast)
            }
        }
        object.member("left-out", objects: preview.leftOut) { write($1, to: &$0) }
        object.member("complete", preview.isComplete)
    }

    private static func write(_ instant: Timestamp, _ preview: SchedulePreview, to object: inout JSONWriter) {
        object.member("due", instant.rfc3339)
        object.member("local", instant.rfc3339(in: preview.zone))
        object.member("weekday", preview.zone.local(instant).weekdayName)
        object.member("in") { distance in
            distance.member("seconds", secondsOf: preview.from.duration(to: instant).nanoseconds)
            distance.member("text", PreviewText.distance(to: instant, from: preview.from))
        }
    }

    private static func write(_ change: ClockChange, to object: inout JSONWriter) {
        object.member("effect", change.effect.rawValue)
        object.member("clock", "\(change.clock.dateText)T\(change.clock.timeText)")
        object.member("text", change.text)
    }
}
