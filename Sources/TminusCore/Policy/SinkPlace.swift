/// Which machines of a fleet make the deliveries of a sink, unless it names their labels (``MachineLabel``). A machine that has its
/// store for itself is its own leader.
public enum SinkPlace: String, Sendable, Hashable, Codable, CaseIterable {
    /// Whichever has capacity first.
    case any
    /// The one that leads, for an output that exists once, such as a log or a file.
    case leader
}
