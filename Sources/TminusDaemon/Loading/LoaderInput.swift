internal import TminusCore

/// What a loader acts on.
enum LoaderInput: Sendable {
    /// The directory is in this state.
    case contents(DirectoryContents)
    /// Time zones may be others than before.
    case zones
    /// Somebody has asked something at the desk.
    case asked
    /// There will be no more states of the directory.
    case ended
}

extension LoaderInput: MailboxMessage {
    /// In order, but one look at the zones, and one at the desk, is as good as several.
    func join(_ waiting: inout [LoaderInput]) {
        switch self {
        case .zones: waiting.removeAll { if case .zones = $0 { true } else { false } }
        case .asked: waiting.removeAll { if case .asked = $0 { true } else { false } }
        case .contents, .ended: break
        }
        waiting.append(self)
    }
}
