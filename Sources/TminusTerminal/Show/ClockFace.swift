package import TminusControl

/// The time of an item in large digits.
package enum ClockFace {
    /// The digits as text: `3d 04:05:06`. Always includes hours, so the layout stays the same when they reach zero.
    package static func text(_ item: Item) -> String {
        guard let parts = item.shownParts else { return "--:--:--" }
        let time = "\(ClockText.two(parts.hours)):\(ClockText.two(parts.minutes)):\(ClockText.two(parts.seconds))"
        return parts.days > 0 ? "\(parts.days)d \(time)" : time
    }

    /// Draws large digits, or one line of small ones if there is too little room.
    package static func lines(_ item: Item, width: Int, style: Style) -> [Line] {
        let text = text(item)
        let look = Look(LeadColor.of(item), bold: true)
        guard item.shownParts != nil, BigDigits.width(text) <= width else {
            return [Line(text, look).cut(to: width, mark: style.cutMark)]
        }
        return BigDigits.lines(text, look: look, style: style)
    }
}
