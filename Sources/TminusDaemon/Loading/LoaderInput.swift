internal import TminusCore

/// An input of the loader.
enum LoaderInput: Sendable {
    /// The directory is in this state.
    case contents(DirectoryContents)
    /// Time zones may have changed.
    case zones
    /// A client has sent a request.
    case asked
    /// The source has ended.
    case ended
}

extension LoaderInput: MailboxMessage {
    /// Keeps the order, and joins equal inputs: one look at the zones or the requests is enough.
    func join(_ waiting: inout [LoaderInput]) {
        switch self {
        case .zones: waiting.removeAll { if case .zones = $0 { true } else { false } }
        case .asked: waiting.removeAll { if case .asked = $0 { true } else { false } }
        case .contents, .ended: break
        }
        waiting.append(self)
    }
}
