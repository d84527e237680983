internal import TminusCore

extension EngineInput: MailboxMessage {
    /// Definitions replace those that wait, because they are the whole truth; hints of one kind are as good as one; the others keep
    /// their order.
    func join(_ waiting: inout [EngineInput]) {
        switch self {
        case .wake: if waiting.contains(where: \.isWake) { return }
        case .ping: if waiting.contains(where: \.isPing) { return }
        case .hint: if waiting.contains(where: \.isHint) { return }
        case .schedule(.definitions): Self.dropDefinitions(&waiting)
        case .schedule(.changes(let set, var ids)):
            var isWhole = false
            for input in waiting {
                if case .schedule(.definitions) = input { isWhole = true }
                if case .schedule(.changes(_, let more)) = input { ids.formUnion(more) }
            }
            Self.dropDefinitions(&waiting)
            return waiting.append(.schedule(isWhole ? .definitions(set) : .changes(set, of: ids)))
        case .schedule, .request, .ended, .committed, .storeAnswers, .discarded, .others, .stop, .giveUp, .abandon:
            break
        }
        waiting.append(self)
    }

    private static func dropDefinitions(_ waiting: inout [EngineInput]) {
        waiting.removeAll { input in
            switch input {
            case .schedule(.definitions), .schedule(.changes): true
            default: false
            }
        }
    }

    private var isWake: Bool { if case .wake = self { true } else { false } }
    private var isPing: Bool { if case .ping = self { true } else { false } }
    private var isHint: Bool { if case .hint = self { true } else { false } }
}
