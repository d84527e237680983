internal import TminusCore
internal import TminusDefinitions

/// The reminders of a new definition whose time has passed before it was written. They are not sent.
enum PastReminders {
    /// A warning for each such reminder of the next occurrence, at its lead time in the file.
    ///
    /// - Parameters:
    ///   - file: The text of the file with the definition, and its path as users see it.
    static func warnings(
        of definition: Definition, in file: (bytes: [UInt8], path: String), now: Timestamp
    ) -> [Diagnostic] {
        guard case .event(let event) = definition.schedule, let due = event.trigger.next(after: now) else { return [] }
        let past = definition.reminders.filter {
            $0.side == .before && definition.zone.instant($0.lead, .before, of: due) <= now
        }
        guard !past.isEmpty else { return [] }
        let scope = event.trigger.next(after: due) == nil ? "" : " for the first occurrence"
        let read = DocumentReader.read(file.bytes, path: file.path)
        let entry = read.root?.entries.first { $0.key == definition.kind.section }?.value.entries
            .first { $0.key == definition.id.rawValue }
        let items = entry?.value.entries.first { $0.key == "remind" }?.value.items ?? []
        return past.map { reminder in
            let time = PlainDate(definition.zone.instant(reminder.lead, .before, of: due), in: definition.zone)
            let item = items.first { $0.lead == reminder.lead }
            var warning = read.diagnostics.diagnostic(
                .warning,
                "this reminder is past already and is not sent\(scope): it would have been on \(time.text(now: now))",
                at: item?.range ?? entry?.keyRange ?? .none)
            // A line with other keys may hold a secret.
            let isOwnLine = warning.sourceLine.map { $0.drop { $0 == " " || $0 == "\t" }.hasPrefix("remind") } ?? false
            if !isOwnLine { warning.sourceLine = nil }
            return warning
        }
    }
}

extension Node {
    /// The items of a list, or the value itself in place of a list.
    fileprivate var items: [Node] {
        if case .sequence(let items) = content { items } else { [self] }
    }

    /// The lead time before the occurrence of an item of `remind`; nil for another item.
    fileprivate var lead: CalendarSpan? {
        let value = entries.first { $0.key == "before" }?.value.content ?? content
        guard case .scalar(let text) = value else { return nil }
        return try? CalendarSpan.parse(text).get()
    }
}
