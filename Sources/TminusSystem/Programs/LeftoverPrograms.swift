internal import CPlatform
internal import Dispatch
internal import Glibc

/// A program that has outlived the process that started it, and its end.
package struct LeftoverProgram: Sendable, Hashable {
    /// The id of its process and of its group.
    package let id: Int32
    /// What it was started for.
    package let label: String
    /// Whether it needed KILL, because TERM was not enough.
    package internal(set) var isKilled = false
    /// Whether it still runs, because the kernel has not ended it yet.
    package internal(set) var isAlive = true
}

extension ProgramLedger {
    /// Ends the programs that an earlier process left behind, all at once, and forgets them: TERM, then KILL after
    /// their `kill-after`.
    ///
    /// - Parameter limit: The longest time that a program gets between the two.
    package func endLeftovers(within limit: Duration = .seconds(10)) async -> [LeftoverProgram] {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "tminus.leftovers").async {
                var leftovers = Leftovers(self.records, limit: limit)
                leftovers.end()
                self.reset()
                continuation.resume(returning: leftovers.programs)
            }
        }
    }
}

/// The recorded programs that are still running.
///
/// A group belongs to a record if its leader started when the record says, or if a member has the variable of the
/// start. While a recognized member lives, no other group can get its id: the kernel gives no process an id that a
/// group still has (credentials(7)).
private struct Leftovers {
    private struct Group {
        let record: ProgramRecord
        let deadline: ContinuousClock.Instant
        var members: Set<ProcessStat> = []
        var result: LeftoverProgram
    }

    /// How long the kernel may take to end a process after KILL.
    private static let killPatience = Duration.seconds(2)
    /// The pause between checks if the kernel does not report ends.
    private static let pause = Duration.milliseconds(50)

    private var groups: [Group]

    init(_ records: [ProgramRecord], limit: Duration) {
        let now = ContinuousClock.now
        groups = records.map { record in
            Group(
                record: record, deadline: now + min(record.killAfter, limit),
                result: LeftoverProgram(id: record.group, label: record.label))
        }
    }

    /// All programs that were still running at the start.
    var programs: [LeftoverProgram] { groups.map(\.result) }

    mutating func end() {
        look()
        groups.removeAll { $0.members.isEmpty }
        for group in groups { ProcessGroup(id: group.record.group).send(SIGTERM) }
        while let next = nextDeadline {
            wait(until: next)
            look()
            for index in groups.indices where isDue(groups[index]) {
                groups[index].result.isKilled = true
                ProcessGroup(id: groups[index].record.group).send(SIGKILL)
            }
        }
    }

    /// Finds the living members of all groups.
    private mutating func look() {
        guard !groups.isEmpty else { return }
        var found: [pid_t: Set<ProcessStat>] = [:]
        ProcessStat.forEachAlive { process in
            found[process.group, default: []].insert(process)
            return true
        }
        for index in groups.indices {
            let (record, members) = (groups[index].record, found[groups[index].record.group] ?? [])
            let isOurs =
                !members.isDisjoint(with: groups[index].members)
                || members.contains { record.isLeader($0) || record.isHeir($0) }
            groups[index].members = isOurs ? members : []
            groups[index].result.isAlive = isOurs
        }
    }

    private func isDue(_ group: Group) -> Bool {
        group.result.isAlive && !group.result.isKilled && group.deadline <= .now
    }

    /// When to act next; nil if nothing is left to do.
    private var nextDeadline: ContinuousClock.Instant? {
        let now = ContinuousClock.now
        return groups.filter(\.result.isAlive).compactMap { group in
            guard group.result.isKilled else { return group.deadline }
            let end = group.deadline + Self.killPatience
            return end > now ? end : nil
        }.min()
    }

    /// Waits until a member ends, or until a deadline (pidfd_open(2), poll(2)).
    private func wait(until deadline: ContinuousClock.Instant) {
        var requests: [pollfd] = []
        var canMiss = false
        for process in groups.flatMap(\.members) {
            let descriptor = tminus_process_descriptor(process.id)
            if descriptor >= 0 {
                requests.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            } else if errno != ESRCH {
                canMiss = true
            }
        }
        defer { for request in requests { close(request.fd) } }
        // A member that has ended since has no descriptor, so do not wait for it.
        let isOver = requests.count < groups.reduce(0) { $0 + $1.members.count } && !canMiss
        let pause = isOver ? .zero : canMiss ? Self.pause : max(.zero, deadline - .now)
        let (seconds, attoseconds) = pause.components
        // Rounded up, so that a wait does not end before its deadline.
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + (pause > .zero ? 1 : 0)
        poll(&requests, nfds_t(requests.count), CInt(clamping: milliseconds))
    }
}
