internal import Glibc

/// Rings whose arcs show the share that is left.
package enum Rings {
    /// One ring.
    package struct Ring: Sendable, Hashable {
        /// The share that is left, from 0 to 1.
        package var share: Double
        /// The colour of the arc.
        package var ink: Ink

        /// Creates a ring; `share` is clamped to 0...1.
        package init(share: Double, ink: Ink) {
            self.share = min(1, max(0, share))
            self.ink = ink
        }
    }

    /// Returns the remaining shares of the day in hours, of the hour in minutes and of the minute in seconds. Each runs
    /// from 1 down to 0 again and again, and all reach 0 together at the end.
    package static func shares(of time: Duration) -> (hours: Double, minutes: Double, seconds: Double) {
        func share(_ whole: Double) -> Double {
            let seconds = max(0, time / .seconds(1))
            let rest = seconds.truncatingRemainder(dividingBy: whole)
            return rest == 0 && seconds > 0 ? 1 : rest / whole
        }
        return (share(86_400), share(3_600), share(60))
    }

    /// Draws the rings, the first outermost. The arc of what is left begins at the top and runs clockwise. Returns no
    /// lines if there is too little room.
    package static func lines(_ rings: [Ring], columns: Int, rows: Int, style: Style) -> [Line] {
        var canvas = DotCanvas(columns: columns, rows: rows)
        guard canvas.radius >= 3, !rings.isEmpty else { return [] }
        let radius = canvas.radius
        // The distance between rings, gap included: 0.3 of the radius for one ring; several share 0.78 of it.
        let step = rings.count == 1 ? radius * 0.3 : radius * 0.78 / Double(rings.count)
        let band = step * 0.72
        canvas.draw { x, y in
            let distance = (x * x + y * y).squareRoot()
            let index = Int(((radius - distance) / step).rounded(.down))
            guard distance <= radius, rings.indices.contains(index) else { return nil }
            let inside = radius - distance - Double(index) * step
            guard inside <= band else { return nil }
            var turn = atan2(x, -y) / (2 * .pi)
            if turn < 0 { turn += 1 }
            if turn < rings[index].share { return UInt8(rings.count + index) }
            // The part that has run down stays as a thin line.
            return abs(inside - band / 2) < 0.3 ? UInt8(index) : nil
        }
        let track = rings.map { _ in (look: Look.faint, character: Character(".")) }
        let arcs = zip(rings, ["#", "+", "*"]).map { (look: Look($0.ink), character: Character($1)) }
        return canvas.lines(ascii: style.drawsASCII, track + arcs)
    }
}
