internal import TminusCore

extension ScheduleInput: MailboxMessage {
    /// Definitions replace those that wait, because they are the whole truth; the others keep their order.
    func join(_ waiting: inout [ScheduleInput]) {
        switch self {
        case .definitions:
            Self.dropDefinitions(&waiting)
        case .changes(let set, var ids):
            var isWhole = false
            for input in waiting {
                if case .definitions = input { isWhole = true }
                if case .changes(_, let more) = input { ids.formUnion(more) }
            }
            Self.dropDefinitions(&waiting)
            waiting.append(isWhole ? .definitions(set) : .changes(set, of: ids))
            return
        case .due:
            if case .due? = waiting.last { return }
        case .ended, .control, .controlAll, .clockStepped, .slept:
            break
        }
        waiting.append(self)
    }

    private static func dropDefinitions(_ waiting: inout [ScheduleInput]) {
        let others = waiting.filter { input in
            switch input {
            case .definitions, .changes: false
            default: true
            }
        }
        waiting = []
        // Two hints that were apart may be neighbours now.
        for input in others { input.join(&waiting) }
    }
}
