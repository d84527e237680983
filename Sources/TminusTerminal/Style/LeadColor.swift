package import TminusControl
internal import TminusCore

/// The colour that shows how near an item's end is.
package enum LeadColor {
    /// The thresholds: the first row below the remaining time applies. The times are the usual reminder leads.
    static let table: [(above: Duration, name: InkName)] = [
        (.seconds(7 * 86_400), .blue),
        (.seconds(86_400), .cyan),
        (.seconds(3_600), .green),
        (.seconds(1_800), .yellow),
        (.seconds(300), .orange),
        (.zero, .red),
    ]

    /// Returns an item's colour: the one in its definition, else gray if it is not counting, else by ``table``.
    package static func of(_ item: Item) -> Ink {
        if let color = item.color, let ink = Ink(color) { return ink }
        switch item.state {
        case .expired, .disabled, .idle: return .named(.gray)
        case .acting: return .named(.magenta)
        case .upcoming, .running, .paused: break
        }
        // A stopwatch has no end.
        guard let remaining = item.remaining else { return .named(.green) }
        return .named(table.first { remaining > $0.above }?.name ?? .red)
    }
}
