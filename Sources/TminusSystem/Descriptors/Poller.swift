internal import CPlatform

/// Waits for many descriptors at once (epoll(7)); each is known by a key.
struct Poller: ~Copyable, Sendable {
    /// What is reported of a descriptor.
    enum Interest {
        /// It can be read from.
        case reading
        /// It can be read from, the first time only: no later report comes, even while another process holds a copy.
        case readingOnce
        /// It can be read from, once for each time that this becomes so: nobody has to read it.
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

    /// Reports `descriptor` by `key` from now on; false if that cannot be, with the reason in `errno`.
    func add(_ descriptor: CInt, _ interest: Interest = .reading, key: UInt64) -> Bool {
        tminus_poller_add(self.descriptor.number, descriptor, CInt(interest.events), key) == 0
    }

    /// Reports a descriptor no longer. Has to be called before the descriptor is closed if another process may hold a copy.
    func remove(_ descriptor: CInt) {
        tminus_poller_remove(self.descriptor.number, descriptor)
    }

    /// Waits for descriptors that are ready, and stores their keys in the first elements of `keys`.
    ///
    /// - Parameter milliseconds: How long at most; negative: without limit.
    /// - Returns: How many are ready; 0 also after an interruption (signal(7)).
    func wait(into keys: inout [UInt64], milliseconds: CInt = -1) -> Int {
        Int(tminus_poller_wait(descriptor.number, &keys, CInt(keys.count), milliseconds))
    }
}
