/// What became of one action of an occurrence, with its deliveries.
package struct WhyAnswer: Encodable, Sendable, Hashable {
    /// What became of it.
    package var entry: HistoryAnswer
    /// Its deliveries, as far as they are still kept.
    package var deliveries: [DeliveryAnswer]

    /// An entry with those of the deliveries that are its own.
    package init(_ entry: HistoryAnswer, among deliveries: [DeliveryAnswer]) {
        self.entry = entry
        self.deliveries = deliveries.filter { $0.occurrence == entry.occurrence && $0.action == entry.action }
    }

    private enum CodingKeys: String, CodingKey {
        case deliveries
    }

    /// The members of the entry, and `deliveries`.
    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deliveries, forKey: .deliveries)
    }
}
