internal import Glibc

/// An analogue face: a dial with twelve marks and hands for hours (one turn in twelve hours), minutes and seconds.
package enum Dial {
    private enum Layer: UInt8 { case rim, mark, hour, minute, second }

    /// Draws the face for a time. The hands run backwards for a remaining time, which shrinks. Returns no lines if
    /// there is too little room.
    package static func lines(_ time: Duration, columns: Int, rows: Int, ink: Ink, style: Style) -> [Line] {
        var canvas = DotCanvas(columns: columns, rows: rows)
        let radius = canvas.radius
        guard radius >= 3 else { return [] }
        let seconds = max(0, time / .seconds(1))
        let hands: [(turn: Double, length: Double, width: Double, layer: Layer)] = [
            (seconds / 43_200, 0.5, 0.75, .hour), (seconds / 3_600, 0.74, 0.5, .minute),
            (seconds / 60, 0.86, 0.26, .second),
        ]
        canvas.draw { x, y in
            let distance = (x * x + y * y).squareRoot()
            for hand in hands.reversed() {
                let angle = hand.turn.truncatingRemainder(dividingBy: 1) * 2 * .pi
                let along = x * sin(angle) - y * cos(angle)
                let across = abs(x * cos(angle) + y * sin(angle))
                // Each hand extends slightly beyond the centre, so even a short one shows a direction.
                guard across <= hand.width, along >= -0.3, along <= radius * hand.length else { continue }
                return hand.layer.rawValue
            }
            let turn = (atan2(x, -y) / (2 * .pi) + 1) * 12
            let beside = abs(turn - turn.rounded()) / 12 * 2 * .pi * distance
            if distance <= radius, distance >= radius * 0.88, beside < 0.45 { return Layer.mark.rawValue }
            return distance <= radius && distance > radius - 0.5 ? Layer.rim.rawValue : nil
        }
        return canvas.lines(
            ascii: style.drawsASCII,
            [
                (.faint, "."), (.plain, "o"), (.bold, "#"), (.bold, "+"), (Look(ink), "*"),
            ])
    }
}
