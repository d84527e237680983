package import TminusControl
package import TminusCore

/// The output of `tminus show`: one item with its ring, clock and fields.
package struct ShowView: Sendable {
    private static let ring = (columns: 18, rows: 9)
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
    package func lines(_ item: Item, deliveries: [DeliverySummary], at now: Timestamp) -> [Line] {
        let item = item.at(now)
        var facts = Facts(style: style, zones: zones)
        var lines = [title(item), Line()] + picture(item) + [Line()]
        let all = facts.all(item)
        let labels = all.map(\.label.count).max() ?? 0
        for fact in all {
            var line = Line(Fitting.pad(fact.label, to: labels) + "  ", .faint)
            line.append(fact.value)
            lines.append(line)
        }
        if let laps = item.laps, !laps.isEmpty {
            lines += [Line(), Line("Laps", .bold)] + LapTable.lines(laps).map(indented)
        }
        if !deliveries.isEmpty {
            lines += [Line(), Line("Last deliveries", .bold)] + deliveryLines(deliveries, item.timezone).map(indented)
        }
        return lines.map { $0.cut(to: width, mark: style.cutMark) }
    }

    /// Renders the lines as text with escape sequences.
    package func text(_ item: Item, deliveries: [DeliverySummary], at now: Timestamp) -> String {
        let palette = Palette(style)
        return lines(item, deliveries: deliveries, at: now).reduce(into: "") { $0 += $1.text(palette) + "\n" }
    }

    private func title(_ item: Item) -> Line {
        var line = Line(SafeText.line(item.name, unicode: style.hasUnicode), Look(LeadColor.of(item), bold: true))
        let id = item.name == item.id ? "" : ", \(SafeText.line(item.id, unicode: style.hasUnicode))"
        line.append("  \(item.kind.rawValue)\(id)", .faint)
        return line
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
        case .dead: .named(.red)
        case .skipped: .named(.gray)
        }
    }

    private func indented(_ line: Line) -> Line {
        var result = Line("  ")
        result.append(line)
        return result
    }
}
