package import TminusControl
package import TminusCore

/// The output of `tminus list`: one line for each item, under group headings, then a line for each problem.
package struct ListView: Sendable {
    /// The most lines about problems.
    private static let problemLimit = 20

    private let width: Int?
    private let style: Style
    private var due: DueText

    /// Creates a list of `width` columns, or of unlimited width for nil, as for a pipe.
    package init(width: Int?, style: Style, zones: any ZoneDatabase) {
        self.width = width
        self.style = style
        due = DueText(zones: zones)
    }

    /// Renders the lines for an instant. `problems` are those of files, one line each. Depends only on the arguments.
    package mutating func lines(_ items: [Item], problems: [String] = [], at now: Timestamp) -> [Line] {
        guard !items.isEmpty else {
            let line = Line("No definitions.")
            return [width.map { line.cut(to: $0, mark: style.cutMark) } ?? line] + self.problems(problems)
        }
        var lines: [Line] = []
        let groups = items.numbersInGroups
        let rows = groups.map { $0.numbers.map { row(items[$0].at(now)) } }
        let layout = ListLayout(rows.joined(), width: width)
        lines.reserveCapacity(items.count + 2 * groups.count)
        for (group, rows) in zip(groups, rows) {
            if !lines.isEmpty { lines.append(Line()) }
            lines.append(head(group.group, rows.count))
            for row in rows { lines += self.lines(row, layout) }
        }
        let failures = groups.flatMap { $0.numbers.compactMap { items[$0].failureLine } }
        return lines + self.problems(problems + failures)
    }

    /// Renders the lines as text with escape sequences.
    package mutating func text(_ items: [Item], problems: [String] = [], at now: Timestamp) -> String {
        let palette = Palette(style)
        return lines(items, problems: problems, at: now).reduce(into: "") { $0 += $1.text(palette) + "\n" }
    }

    private func head(_ group: Item.Group, _ count: Int) -> Line {
        var line = Line(group.rawValue, .bold)
        line.append(" (\(count))", .faint)
        return width.map { line.cut(to: $0, mark: style.cutMark) } ?? line
    }

    /// The lines about problems, after an empty one. They are not cut: they say where to look.
    private func problems(_ texts: [String]) -> [Line] {
        guard !texts.isEmpty else { return [] }
        var lines = [Line()]
        for text in texts.prefix(Self.problemLimit) {
            var line = Line("! ", Look(.named(.red), bold: true))
            line.append(SafeText.line(text, unicode: style.hasUnicode))
            lines.append(line)
        }
        if texts.count > Self.problemLimit {
            lines.append(Line("! and \(texts.count - Self.problemLimit) more; see 'tminus status'"))
        }
        return lines
    }

    private mutating func row(_ item: Item) -> ListLayout.Row {
        let name = item.name == item.id ? "" : SafeText.line(item.name, unicode: style.hasUnicode)
        let silence = item.nextReminder?.silence.map { ", \($0.rawValue)" } ?? ""
        return ListLayout.Row(
            isMarked: item.isFailing, dot: LeadColor.dot(item, style),
            id: SafeText.line(item.id, unicode: style.hasUnicode), name: name, state: item.stateWords,
            reminder: item.nextReminder.map { SafeText.line($0.lead, unicode: style.hasUnicode) + silence } ?? "",
            last: item.lastOutcomeWords, due: item.due.map { due.short($0, in: item.timezone) } ?? "",
            remaining: item.remainingWords, ink: LeadColor.of(item))
    }

    /// The line of a row; two if the id is too wide for its column.
    private func lines(_ row: ListLayout.Row, _ layout: ListLayout) -> [Line] {
        let color = Look(row.ink)
        var line = Line()
        if row.isMarked { line.append("!", Look(.named(.red), bold: true)) }
        if !layout.isNarrow { line.append(row.isMarked ? " " : "  ") }
        if !layout.isNarrow || !row.isMarked { line.append(row.dot) }
        line.append(" ")
        var lines: [Line] = []
        for (index, column) in layout.columns.enumerated() {
            if index > 0 { line.append("  ") }
            if column.kind == .id, DisplayWidth.of(row.id) > column.width {
                line.append(row.id, Look(color.ink, bold: true))
                lines.append(line)
                line = Line(String(repeating: " ", count: layout.prefix + column.width))
                continue
            }
            let text = Fitting.pad(
                row[column.kind], to: column.width, mark: style.cutMark, right: column.kind == .remaining)
            switch column.kind {
            case .id: line.append(text, Look(color.ink, bold: true))
            case .state: line.append(text, row.isMarked ? Look(.named(.red), bold: true) : color)
            case .remaining: line.append(text, color)
            case .name, .reminder, .last, .due: line.append(text)
            }
        }
        // Nothing follows an id that is the only column.
        return layout.columns.count > 1 || lines.isEmpty ? lines + [line] : lines
    }
}
