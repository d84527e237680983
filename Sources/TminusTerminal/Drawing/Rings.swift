internal import Glibc

/// Rings that show by their arcs how much is left.
package enum Rings {
    /// A ring: the share that is left, from 0 to 1, and its colour.
    package struct Ring: Sendable, Hashable {
        package var share: Double
        package var ink: Ink

        package init(share: Double, ink: Ink) {
            self.share = min(1, max(0, share))
            self.ink = ink
        }
    }

    /// The shares of the hour of the day, the minute of the hour and the second of the minute that are left: each runs down from
    /// 1 again and again, and all end together.
    package static func shares(of time: Duration) -> (hours: Double, minutes: Double, seconds: Double) {
        func share(_ whole: Double) -> Double {
            let seconds = max(0, time / .seconds(1))
            let rest = seconds.truncatingRemainder(dividingBy: whole)
            return rest == 0 && seconds > 0 ? 1 : rest / whole
        }
        return (share(86_400), share(3_600), share(60))
    }

    /// The rings, the first outermost; what is left begins at the top and runs clockwise. Empty where there is no room.
    package static func lines(_ rings: [Ring], columns: Int, rows: Int, style: Style) -> [Line] {
        var canvas = DotCanvas(columns: columns, rows: rows)
        guard canvas.radius >= 3, !rings.isEmpty else { return [] }
        let radius = canvas.radius
        // One ring is a band of a quarter of the radius; several share three quarters of it.
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
            // What has run down stays as a thin line.
            return abs(inside - band / 2) < 0.3 ? UInt8(index) : nil
        }
        let track = rings.map { _ in (look: Look.faint, character: Character(".")) }
        let arcs = zip(rings, ["#", "+", "*"]).map { (look: Look($0.ink), character: Character($1)) }
        return canvas.lines(ascii: style.drawsASCII, track + arcs)
    }
}
