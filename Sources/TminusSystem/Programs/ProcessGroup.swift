internal import Glibc

/// The processes that a program has started and that stayed in its group.
struct ProcessGroup: Sendable {
    /// The id of the group, which is that of its leading process.
    let id: pid_t

    /// Sends a signal to all of them.
    func send(_ signal: CInt) {
        // 0 and 1 would mean the caller's group and all processes (kill(2)).
        guard id > 1 else { return }
        kill(-id, signal)
    }

    /// Whether a member is alive. A dead leader that is not reaped yet does not count.
    func hasLivingMember() -> Bool {
        var isFound = false
        ProcessStat.forEachAlive { stat in
            isFound = stat.group == id
            return !isFound
        }
        return isFound
    }
}
