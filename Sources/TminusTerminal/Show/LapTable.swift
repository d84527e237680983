package import TminusControl

/// The laps of a stopwatch, one line each, newest first.
package enum LapTable {
    /// Renders at most `limit` lines. The last one counts the laps left out.
    package static func lines(_ laps: [Item.Lap], limit: Int = .max) -> [Line] {
        guard limit > 0, let newest = laps.first else { return [] }
        let shown = laps.count <= limit ? laps[...] : laps.prefix(max(0, limit - 1))
        let number = "\(newest.number)".count
        let (length, total) = (
            laps.map { ClockText.lap($0.length).count }.max() ?? 0,
            laps.map { ClockText.lap($0.total).count }.max() ?? 0
        )
        var lines = shown.map { lap in
            var line = Line("#" + Fitting.pad("\(lap.number)", to: number, right: true), .faint)
            line.append("  " + Fitting.pad(ClockText.lap(lap.length), to: length, right: true))
            line.append("  " + Fitting.pad(ClockText.lap(lap.total), to: total, right: true), .faint)
            if let mark = lap.mark {
                line.append("  " + mark.rawValue, Look(.named(mark == .fastest ? .green : .red), bold: true))
            }
            return line
        }
        if shown.count < laps.count { lines.append(Line("and \(laps.count - shown.count) more", .faint)) }
        return lines
    }
}
