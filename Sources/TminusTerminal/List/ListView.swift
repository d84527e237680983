package import TminusControl
package import TminusCore

/// The output of `tminus list`: one line for each item, under group headings.
package struct ListView: Sendable {
    private let width: Int?
    private let style: Style
    private var due: DueText

    /// Creates a list of `width` columns, or of unlimited width for nil, as for a pipe.
    package init(width: Int?, style: Style, zones: any ZoneDatabase) {
        self.width = width
        self.style = style
        due = DueText(zones: zones)
    }

    /// Renders the lines for an instant. Depends only on the arguments.
    package mutating func lines(_ items: [Item], at now: Timestamp) -> [Line] {
        guard !items.isEmpty else { return [Line("No definitions.")] }
        var lines: [Line] = []
        let groups = items.numbersInGroups
        let rows = groups.map { $0.numbers.map { row(items[$0].at(now)) } }
        let layout = ListLayout(rows.joined(), width: width)
        lines.reserveCapacity(items.count + 2 * groups.count)
        for (group, rows) in zip(groups, rows) {
            if !lines.isEmpty { lines.append(Line()) }
            lines.append(head(group.group, rows.count))
            for row in rows { lines.append(line(row, layout)) }
        }
        return lines
    }

    /// Renders the lines as text with escape sequences.
    package mutating func text(_ items: [Item], at now: Timestamp) -> String {
        let palette = Palette(style)
        return lines(items, at: now).reduce(into: "") { $0 += $1.text(palette) + "\n" }
    }

    private func head(_ group: Item.Group, _ count: Int) -> Line {
        var line = Line(group.rawValue, .bold)
        line.append(" (\(count))", .faint)
        return width.map { line.cut(to: $0, mark: style.cutMark) } ?? line
    }

    private mutating func row(_ item: Item) -> ListLayout.Row {
        let name = item.name == item.id ? "" : SafeText.line(item.name, unicode: style.hasUnicode)
        return ListLayout.Row(
            id: SafeText.line(item.id, unicode: style.hasUnicode), name: name, state: item.stateWords,
            due: item.due.map { due.short($0, in: item.timezone) } ?? "", remaining: item.remainingWords,
            ink: LeadColor.of(item))
    }

    private func line(_ row: ListLayout.Row, _ layout: ListLayout) -> Line {
        let color = Look(row.ink)
        var line = Line(layout.indent)
        for (index, column) in layout.columns.enumerated() {
            if index > 0 { line.append("  ") }
            let text = Fitting.pad(
                row[column.kind], to: column.width, mark: style.cutMark, right: column.kind == .remaining)
            switch column.kind {
            case .id: line.append(text, Look(color.ink, bold: true))
            case .state, .remaining: line.append(text, color)
            case .name, .due: line.append(text)
            }
        }
        return line
    }
}
