extension WatchView {
    /// Draws as many keys as fit. If room is short, help and quit take precedence.
    func helpLine(_ columns: Int) -> Line {
        let keys = WatchAction.table.filter { $0.label != nil }
        func width(_ row: WatchAction.Row) -> Int { (row.label ?? "").count + 1 + row.short.count + 2 }
        var room = columns + 2
        var shown: Set<WatchAction> = []
        for row in keys where [.help, .quit].contains(row.action) && width(row) <= room {
            shown.insert(row.action)
            room -= width(row)
        }
        for row in keys where !shown.contains(row.action) {
            guard width(row) <= room else { break }
            shown.insert(row.action)
            room -= width(row)
        }
        var line = Line()
        for row in keys where shown.contains(row.action) {
            if !line.spans.isEmpty { line.append("  ") }
            line.append(row.label ?? "", .bold)
            line.append(" " + row.short, .faint)
        }
        return line
    }

    /// The question, in place of a message. A name that is too long is cut, so that the answers stay visible.
    func question(_ question: WatchQuestion, _ columns: Int) -> Line {
        let text = SafeText.line(question.text, unicode: style.hasUnicode)
        let end = "? y/n"
        let room = max(1, columns - end.count)
        let cut = Fitting.pad(String(text.dropLast()), to: min(room, DisplayWidth.of(text) - 1), mark: style.cutMark)
        return Line(cut + end, Look(.named(.red), bold: true)).cut(to: columns, mark: style.cutMark)
    }

    /// The keys while a question waits, in place of the help line.
    func answers(_ columns: Int) -> Line {
        var line = Line("y", .bold)
        line.append(" yes  ", .faint)
        line.append("any other key", .bold)
        line.append(" no", .faint)
        return line.cut(to: columns, mark: style.cutMark)
    }

    /// Draws all keys: with full descriptions if they fit, else with short ones in as many columns as possible.
    func help(_ layout: WatchLayout, _ frame: inout Frame) {
        let rows = WatchAction.table.filter { $0.label != nil }
        let (height, width) = (layout.body.count, layout.size.columns)
        let inSentences = rows.count <= height * max(1, width / 56)
        let label = rows.map { ($0.label ?? "").count }.max() ?? 0
        let each = inSentences ? min(width, 56) : min(width, label + 8)
        for (index, row) in rows.enumerated() {
            let column = index / height * each
            guard column < width else { break }
            var line = Line(Fitting.pad(row.label ?? "", to: label) + " ", .bold)
            line.append(inSentences ? row.does : row.short)
            frame.put(
                line.cut(to: min(each, width - column), mark: style.cutMark),
                row: layout.body.lowerBound + index % height, column: column)
        }
    }
}
