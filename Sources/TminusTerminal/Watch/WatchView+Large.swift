internal import TminusControl
internal import TminusCore

extension WatchView {
    /// Draws one item enlarged: its rings or dial, time, fields and laps.
    func large(_ model: WatchModel, _ now: Timestamp, _ frame: inout Frame) {
        let (body, width) = (model.layout.body, model.layout.size.columns)
        guard let item = model.selected(at: now) else {
            let id = SafeText.line(model.selection ?? "", unicode: style.hasUnicode)
            let text = model.isLoaded ? "There is no '\(id)'." : "Waiting for the daemon."
            frame.put(Line(text).cut(to: width, mark: style.cutMark), row: body.lowerBound)
            return
        }
        // On a wide screen the picture is left of the text, else above it if both have room.
        let isWide = width >= 48 && body.count >= 6
        // Leaves room for a whole date beside the picture.
        let wide = min(body.count, max(width / 5, (width - 63) / 2))
        let pictureRows = isWide ? wide : body.count >= 16 ? min(body.count / 2, width / 2) : 0
        let picture = picture(item, model, columns: isWide ? pictureRows * 2 : width, rows: pictureRows)
        for (index, line) in picture.enumerated() { frame.put(line, row: body.lowerBound + index) }

        let column = isWide && !picture.isEmpty ? pictureRows * 2 + 3 : 0
        let first = body.lowerBound + (column == 0 && !picture.isEmpty ? pictureRows : 0)
        let text = text(item, model.face, columns: width - column, rows: body.upperBound - first)
        for (index, line) in text.enumerated() {
            frame.put(line.cut(to: width - column, mark: style.cutMark), row: first + index, column: column)
        }
    }

    private func picture(_ item: Item, _ model: WatchModel, columns: Int, rows: Int) -> [Line] {
        guard let time = item.shownTime ?? item.total else { return [] }
        let ink = LeadColor.of(item)
        if model.face == .analogue { return Dial.lines(time, columns: columns, rows: rows, ink: ink, style: style) }
        if model.rings == .total, let share = item.fraction {
            return Rings.lines([.init(share: share, ink: ink)], columns: columns, rows: rows, style: style)
        }
        let shares = Rings.shares(of: time)
        return Rings.lines(
            [
                .init(share: shares.hours, ink: .named(.blue)), .init(share: shares.minutes, ink: .named(.green)),
                .init(share: shares.seconds, ink: ink),
            ], columns: columns, rows: rows, style: style)
    }

    private func text(_ item: Item, _ face: WatchModel.Face, columns: Int, rows: Int) -> [Line] {
        var title = Line(SafeText.line(item.name, unicode: style.hasUnicode), Look(LeadColor.of(item), bold: true))
        title.append("  " + item.kind.rawValue, .faint)
        // Small digits beside the dial, because the dial already shows the time.
        let isSmall = face == .analogue || rows < 14
        let clock = isSmall ? [Line(ClockFace.text(item), .bold)] : ClockFace.lines(item, width: columns, style: style)
        var facts = Facts(style: style, zones: zones, room: columns - 12)
        let all = facts.moving(item) + facts.overrides(item)
        let labels = all.map(\.label.count).max() ?? 0
        var lines = [title] + (rows < 8 ? clock : [Line()] + clock + [Line()])
        lines += all.map { fact in
            var line = Line(Fitting.pad(fact.label, to: labels) + "  ", .faint)
            line.append(fact.value)
            return line
        }
        if let laps = item.laps, !laps.isEmpty {
            lines += [Line()] + LapTable.lines(laps, limit: max(0, rows - lines.count - 1))
        }
        guard lines.count > rows, rows > 0 else { return lines }
        // Says that there is more, in the last row.
        return lines.prefix(rows - 1) + [Line("and \(lines.count - rows + 1) more", .faint)]
    }
}
