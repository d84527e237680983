internal import TminusControl
internal import TminusCore

extension WatchView {
    /// The column widths of a row.
    private struct Columns {
        var name: Int
        var state: Int
        /// The last outcome; 0 if there is no room for it.
        var last: Int
        var bar: Int
        var time: Int
        /// Whether overrides are omitted for lack of room.
        var isBrief: Bool
        /// Whether there is a dot before the name.
        var hasDot: Bool
    }

    /// The bar is not made narrower than this for the last outcome.
    private static let wideBar = 20

    /// Draws one row for each item: name, state, bar of the remaining share, time.
    func rows(_ model: WatchModel, _ now: Timestamp, _ frame: inout Frame) {
        let layout = model.layout
        guard !model.entries.isEmpty else {
            let text = model.isLoaded ? "No definitions." : "Waiting for the daemon."
            frame.put(Line(text).cut(to: layout.size.columns, mark: style.cutMark), row: layout.body.lowerBound)
            return
        }
        let columns = columns(model.visibleItems.map { $0.at(now) }, layout.size.columns)
        for (offset, entry) in model.entries[model.top...].prefix(layout.body.count).enumerated() {
            let row = layout.body.lowerBound + offset
            switch entry {
            case .head(let group, let count):
                var line = Line(group.rawValue, .bold)
                line.append(" (\(count))", .faint)
                frame.put(line.cut(to: layout.size.columns, mark: style.cutMark), row: row)
            case .item(let id):
                guard let item = model.items[id]?.at(now) else { continue }
                let isSelected = id == model.selection
                let line = line(item, isSelected, columns)
                frame.put(isSelected ? line.filled(to: layout.size.columns).reversed : line, row: row)
            }
        }
    }

    private func line(_ item: Item, _ isSelected: Bool, _ columns: Columns) -> Line {
        let ink = LeadColor.of(item)
        var line = Line(isSelected ? ">" : " ")
        line.append(item.isFailing ? "!" : " ", item.isFailing ? Look(.named(.red), bold: true) : .plain)
        if columns.hasDot {
            line.append(LeadColor.dot(item, style))
            line.append(" ")
        }
        line.append(pad(SafeText.line(item.name, unicode: style.hasUnicode), columns.name), Look(ink, bold: true))
        if columns.state > 0 { line.append("  " + pad(state(item, columns.isBrief), columns.state), Look(ink)) }
        if columns.last > 0 { line.append("  " + pad(item.lastOutcomeWords, columns.last)) }
        if columns.bar > 0 {
            line.append("  ")
            if let share = item.fraction, item.state != .expired, item.state != .disabled {
                line.append(Bar.line(share, width: columns.bar, ink: ink, style: style))
            } else {
                line.append(String(repeating: " ", count: columns.bar))
            }
        }
        line.append("  " + Fitting.pad(time(item), to: columns.time, mark: style.cutMark, right: true), Look(ink))
        return line
    }

    /// Digits for an item that counts or can be started, words for the rest.
    private func time(_ item: Item) -> String {
        switch item.state {
        case .expired, .disabled: item.remainingWords
        default: item.shownParts.map(ClockText.digits) ?? ""
        }
    }

    private func state(_ item: Item, _ isBrief: Bool) -> String { isBrief ? item.state.rawValue : item.stateWords }

    private func pad(_ text: String, _ width: Int) -> String { Fitting.pad(text, to: width, mark: style.cutMark) }

    private func columns(_ items: [Item], _ width: Int) -> Columns {
        var columns = Columns(name: 4, state: 0, last: 0, bar: 0, time: 4, isBrief: width < 60, hasDot: width >= 30)
        for item in items {
            let name = DisplayWidth.of(SafeText.line(item.name, unicode: style.hasUnicode))
            columns.name = max(columns.name, name)
            columns.state = max(columns.state, state(item, columns.isBrief).count)
            columns.time = max(columns.time, time(item).count)
            columns.last = max(columns.last, item.lastOutcomeWords.count)
        }
        let dot = columns.hasDot ? 2 : 0
        columns.time = min(columns.time, max(1, width - 5 - dot))
        // Marker, gap and time are always shown. The name shrinks in favour of the other columns, down to a third of
        // the row.
        let room = max(1, width - 4 - dot - columns.time)
        if room < columns.state + 10 { columns.state = 0 }
        let beside = columns.state > 0 ? columns.state + 2 : 0
        columns.name = min(columns.name, max(1, min(room - beside, max(width / 3, room - beside - 14))))
        if columns.last > 0, room - beside - columns.name - 2 - Self.wideBar < columns.last + 2 { columns.last = 0 }
        let last = columns.last > 0 ? columns.last + 2 : 0
        let bar = room - beside - columns.name - last - 2
        columns.bar = bar >= 6 ? bar : 0
        if columns.bar == 0 { columns.name = max(1, room - beside) }
        return columns
    }
}
