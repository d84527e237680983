internal import TminusCore

/// An input of the loader.
enum LoaderInput: Sendable {
    /// The directory is in this state.
    case contents(DirectoryContents)
    /// Time zones may have changed.
    case zones
    /// It was looked whether these things are there that sinks need; the problems of those that are not.
    case inspected(Set<SinkNeed.Thing>, [SinkNeed.Thing: String])
    /// A change that the store refused to publish can be tried again.
    case heldChange
    /// A client has a request.
    case request(LoaderClient.Request)
    /// The engine has put the definitions of this generation in force.
    case inForce(generation: Int)
    /// Somebody asks whether the loader works.
    case ping
    /// The source has ended.
    case ended
}

extension LoaderInput: MailboxMessage {
    /// Keeps the order; a single check of the zones and a single ping are enough.
    func join(_ waiting: inout [LoaderInput]) {
        if case .ping = self, waiting.contains(where: { if case .ping = $0 { true } else { false } }) { return }
        if case .zones = self { waiting.removeAll { if case .zones = $0 { true } else { false } } }
        waiting.append(self)
    }
}
