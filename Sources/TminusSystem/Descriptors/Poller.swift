internal import CPlatform

/// Waits for many descriptors at once (epoll(7)). Each descriptor has a key.
struct Poller: ~Copyable, Sendable {
    /// The events of a descriptor that are reported.
    enum Interest {
        /// It can be read from.
        case reading
        /// It can be read from, reported once. No other report follows, even while another process holds a copy.
        case readingOnce
        /// It can be read from, reported at each change to readable, so nobody has to read it.
        case readingEdge
        /// It can be written to.
        case writing

        fileprivate var events: Int {
            switch self {
            case .reading: TMINUS_READABLE
            case .readingOnce: TMINUS_READABLE | TMINUS_ONCE
            case .readingEdge: TMINUS_READABLE | TMINUS_EDGE
            case .writing: TMINUS_WRITABLE
            }
        }
    }

    private let descriptor: Descriptor

    /// A poller without descriptors; nil if no descriptor is left for it, with the reason in `errno`.
    init?() {
        guard let descriptor = Descriptor(tminus_poller()) else { return nil }
        self.descriptor = descriptor
    }

    /// Starts to report `descriptor` with `key`; false if that fails, with the reason in `errno`.
    func add(_ descriptor: CInt, _ interest: Interest = .reading, key: UInt64) -> Bool {
        tminus_poller_add(self.descriptor.number, descriptor, CInt(interest.events), key) == 0
    }

    /// Stops reporting a descriptor. Call this before the descriptor is closed if another process may hold a copy.
    func remove(_ descriptor: CInt) {
        tminus_poller_remove(self.descriptor.number, descriptor)
    }

    /// Waits for descriptors that are ready, and stores their keys in the first elements of `keys`.
    ///
    /// - Parameter milliseconds: The longest wait; negative for no limit.
    /// - Returns: The number of ready descriptors; 0 also after an interruption (signal(7)).
    func wait(into keys: inout [UInt64], milliseconds: CInt = -1) -> Int {
        Int(tminus_poller_wait(descriptor.number, &keys, CInt(keys.count), milliseconds))
    }
}
