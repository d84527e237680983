package import TminusControl

/// The time of an item as a person reads it from afar.
package enum ClockFace {
    /// The text of the digits: `3d 04:05:06`; always with hours, so that nothing moves when they are over.
    package static func text(_ item: Item) -> String {
        guard let parts = item.shownParts else { return "--:--:--" }
        let time = "\(ClockText.two(parts.hours)):\(ClockText.two(parts.minutes)):\(ClockText.two(parts.seconds))"
        return parts.days > 0 ? "\(parts.days)d \(time)" : time
    }

    /// Large digits, or one line of small ones where there is no room.
    package static func lines(_ item: Item, width: Int, style: Style) -> [Line] {
        let text = text(item)
        let look = Look(LeadColor.of(item), bold: true)
        guard item.shownParts != nil, BigDigits.width(text) <= width else {
            return [Line(text, look).cut(to: width, mark: style.cutMark)]
        }
        return BigDigits.lines(text, look: look, style: style)
    }
}
