package import TminusControl
internal import TminusCore

/// The colour that shows for which lead the next reminder of an item is set.
package enum LeadColor {
    /// The classes of leads: the first row whose length the lead reaches applies.
    static let table: [(least: Duration, name: InkName)] = [
        (.seconds(7 * 86_400), .blue),
        (.seconds(86_400), .cyan),
        (.seconds(3_600), .green),
        (.seconds(1_800), .yellow),
        (.seconds(300), .orange),
        (.zero, .red),
    ]

    /// Returns an item's colour: the one in its definition, else gray if it is not counting, else the class of the next
    /// reminder that is sent; plain if none is.
    package static func of(_ item: Item) -> Ink {
        if let color = item.color, let ink = Ink(color) { return ink }
        switch item.state {
        case .expired where item.comingReminder == nil: return .named(.gray)
        case .disabled, .idle: return .named(.gray)
        case .acting: return .named(.magenta)
        case .upcoming, .running, .paused, .expired: break
        }
        guard let next = item.comingReminder else { return .plain }
        // The alert of a stopwatch has no occurrence that it precedes.
        if item.kind == .stopwatch { return .named(.green) }
        // A reminder after its occurrence comes at the very end.
        guard let length = next.length else { return .named(.red) }
        return .named(table.first { length >= $0.least }?.name ?? .red)
    }

    /// Returns the dot before an item: filled if a reminder is to come, else hollow.
    package static func dot(_ item: Item, _ style: Style) -> Line {
        let isFilled = item.comingReminder != nil
        let glyph = style.drawsASCII ? (isFilled ? "*" : "o") : (isFilled ? "●" : "○")
        return Line(glyph, Look(of(item)))
    }
}

extension Item {
    /// The next reminder, unless an override prevents that it is sent.
    package var comingReminder: NextReminder? { nextReminder.flatMap { $0.silence == nil ? $0 : nil } }
}
