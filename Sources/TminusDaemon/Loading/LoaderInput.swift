internal import TminusCore

/// What a loader acts on.
enum LoaderInput: Sendable {
    /// The directory is in this state.
    case contents(DirectoryContents)
    /// Time zones may be others than before.
    case zones
    /// There will be no more states of the directory.
    case ended
}

extension LoaderInput: MailboxMessage {
    /// In order, but one look at the zones is as good as several.
    func join(_ waiting: inout [LoaderInput]) {
        if case .zones = self {
            waiting.removeAll { if case .zones = $0 { true } else { false } }
        }
        waiting.append(self)
    }
}
