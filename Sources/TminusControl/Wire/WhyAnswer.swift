/// The outcome of one action of an occurrence, with its deliveries.
package struct WhyAnswer: Encodable, Sendable, Hashable {
    /// The outcome.
    package var entry: HistoryAnswer
    /// The deliveries that are still kept.
    package var deliveries: [DeliveryAnswer]

    /// Creates an answer from an entry and the deliveries among `deliveries` that belong to it.
    package init(_ entry: HistoryAnswer, among deliveries: [DeliveryAnswer]) {
        self.entry = entry
        self.deliveries = deliveries.filter { $0.occurrence == entry.occurrence && $0.action == entry.action }
    }

    private enum CodingKeys: String, CodingKey {
        case deliveries
    }

    /// Encodes the members of the entry and `deliveries` as one object.
    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deliveries, forKey: .deliveries)
    }
}
