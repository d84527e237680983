internal import TminusCore

extension SchedulerInput: MailboxMessage {
    /// Definitions replace those that wait, because they are the whole truth; the others keep their order.
    func join(_ waiting: inout [SchedulerInput]) {
        switch self {
        case .definitions:
            let others = waiting.filter { if case .definitions = $0 { false } else { true } }
            waiting = []
            // Two hints that were apart may be neighbours now.
            for input in others { input.join(&waiting) }
        case .due:
            if case .due? = waiting.last { return }
        case .ended, .control, .clockStepped, .slept:
            break
        }
        waiting.append(self)
    }
}
