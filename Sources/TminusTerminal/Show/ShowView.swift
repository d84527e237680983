package import TminusControl
package import TminusCore

/// The output of `tminus show`: one item with its ring, clock and fields.
package struct ShowView: Sendable {
    private static let ring = (columns: 18, rows: 9)
    /// The usual width of the labels of fields, with the gap.
    private static let labels = 13
    private let width: Int
    private let style: Style
    private let zones: any ZoneDatabase

    /// Creates a view of `width` columns; nil for a pipe.
    package init(width: Int?, style: Style, zones: any ZoneDatabase) {
        self.width = max(1, width ?? 100)
        self.style = style
        self.zones = zones
    }

    /// Renders the lines for an instant, with the newest deliveries first. Depends only on the arguments.
    ///
    /// - Parameter control: The last control in words, with the user and the instant; nil if there is none.
    package func lines(
        _ item: Item, leads: [LeadSummary] = [], control: String? = nil, deliveries: [DeliverySummary],
        at now: Timestamp
    ) -> [Line] {
        let item = item.at(now)
        var facts = Facts(style: style, zones: zones, room: width - Self.labels)
        var lines = [Line()] + picture(item) + [Line()]
        var all = facts.all(item)
        if let control { all.append(("control", Line(SafeText.line(control, unicode: style.hasUnicode)))) }
        let labels = all.map(\.label.count).max() ?? 0
        for fact in all {
            var line = Line(Fitting.pad(fact.label, to: labels) + "  ", .faint)
            line.append(fact.value)
            lines.append(line)
        }
        if !leads.isEmpty {
            lines += [Line(), Line("Reminders", .bold)] + leadLines(leads, item.timezone).map(indented)
        }
        if let laps = item.laps, !laps.isEmpty {
            lines += [Line(), Line("Laps", .bold)] + LapTable.lines(laps).map(indented)
        }
        lines = title(item) + lines.map { $0.cut(to: width, mark: style.cutMark) }
        if !deliveries.isEmpty {
            // Not cut: why one failed is what people come for.
            lines += [Line(), Line("Last deliveries", .bold)] + deliveryLines(deliveries, item.timezone).map(indented)
        }
        return lines
    }

    /// Renders the lines as text with escape sequences.
    package func text(
        _ item: Item, leads: [LeadSummary] = [], control: String? = nil, deliveries: [DeliverySummary],
        at now: Timestamp
    ) -> String {
        let palette = Palette(style)
        return lines(item, leads: leads, control: control, deliveries: deliveries, at: now).reduce(into: "") {
            $0 += $1.text(palette) + "\n"
        }
    }

    /// The name, the kind and the id, which is not cut because commands need it: one that does not fit gets a line of its
    /// own.
    private func title(_ item: Item) -> [Line] {
        let id = item.name == item.id ? "" : SafeText.line(item.id, unicode: style.hasUnicode)
        let name = SafeText.line(item.name, unicode: style.hasUnicode)
        let look = Look(LeadColor.of(item), bold: true)
        let kind = "  \(item.kind.rawValue)"
        func line(_ tail: String, to room: Int) -> Line {
            var line = Line(id.isEmpty ? name : Fitting.cut(name, to: room, mark: style.cutMark), look)
            line.append(tail, .faint)
            return line
        }
        let tail = id.isEmpty ? kind : "\(kind), \(id)"
        let room = width - DisplayWidth.of(tail)
        if id.isEmpty || room >= min(8, DisplayWidth.of(name)) { return [line(tail, to: room)] }
        return [line(kind, to: max(1, width - kind.count)).cut(to: width, mark: style.cutMark), Line(id, .faint)]
    }

    /// The ring beside the clock. An item without a total has no ring.
    private func picture(_ item: Item) -> [Line] {
        let ring =
            item.fraction.map { share in
                Rings.lines(
                    [.init(share: share, ink: LeadColor.of(item))], columns: min(width, Self.ring.columns),
                    rows: Self.ring.rows, style: style)
            } ?? []
        let offset = ring.isEmpty ? 2 : Self.ring.columns + 4
        let clock = ClockFace.lines(item, width: max(1, width - offset), style: style)
        guard !ring.isEmpty, width > offset + 8 else { return ring + clock.map(indented) }
        let top = (ring.count - clock.count) / 2
        return ring.enumerated().map { index, line in
            guard clock.indices.contains(index - top) else { return line }
            var line = line.filled(to: offset)
            line.append(clock[index - top])
            return line
        }
    }

    private func leadLines(_ leads: [LeadSummary], _ zone: String) -> [Line] {
        var due = DueText(zones: zones)
        let names = leads.map { SafeText.line($0.lead, unicode: style.hasUnicode) }
        let width = names.map { DisplayWidth.of($0) }.max() ?? 0
        let statuses = leads.map(\.status.rawValue.count).max() ?? 0
        return zip(leads, names).map { lead, name in
            var line = Line(Fitting.pad(name, to: width) + "  ")
            line.append(Fitting.pad(lead.status.rawValue, to: statuses), Look(Self.ink(lead.status)))
            if let instant = lead.due { line.append("  " + due.short(instant, in: zone)) }
            let reason = SafeText.line(lead.reason, unicode: style.hasUnicode)
            if !reason.isEmpty { line.append(": \(reason)") }
            return line
        }
    }

    private static func ink(_ status: LeadStanding.Status) -> Ink {
        switch status {
        case .done: .named(.green)
        case .failed, .missed: .named(.red)
        case .open, .next: .named(.yellow)
        case .skipped, .muted, .past: .named(.gray)
        case .later: .plain
        }
    }

    private func deliveryLines(_ deliveries: [DeliverySummary], _ zone: String) -> [Line] {
        var due = DueText(zones: zones)
        let rows = deliveries.map { delivery in
            [
                due.short(delivery.due, in: zone), SafeText.line(delivery.action, unicode: style.hasUnicode),
                SafeText.line(delivery.sink, unicode: style.hasUnicode),
            ]
        }
        let widths = (0..<3).map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return zip(deliveries, rows).map { delivery, row in
            var line = Line(zip(row, widths).map { Fitting.pad($0, to: $1) + "  " }.joined())
            line.append(delivery.outcome.rawValue, Look(Self.ink(delivery.outcome)))
            if delivery.attempts > 1 { line.append(", \(delivery.attempts) attempts") }
            let reason = SafeText.line(delivery.reason, unicode: style.hasUnicode)
            if !reason.isEmpty { line.append(": \(reason)") }
            return line
        }
    }

    private static func ink(_ outcome: DeliverySummary.Outcome) -> Ink {
        switch outcome {
        case .delivered: .named(.green)
        case .waiting, .running: .named(.yellow)
        case .dead, .expired: .named(.red)
        case .skipped: .named(.gray)
        }
    }

    private func indented(_ line: Line) -> Line {
        var result = Line("  ")
        result.append(line)
        return result
    }
}
