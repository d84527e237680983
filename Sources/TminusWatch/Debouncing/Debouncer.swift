/// Decides when an edit is complete. Its inputs are notifications and scans; its outputs are the time of the next scan
/// and the files to read.
///
/// Files change in batches. A batch starts with its first event and ends when there were no events for a while and
/// every file in it is complete, so that a rename or a move between files is one change. A batch never waits longer
/// than the policy's cap: then the complete files are applied, and the others follow when they are complete.
///
///     open    --closed, renamed into place--> complete --quiet--> read
///     open    --no write for the gate limit--> read as it is
///     lost    --back--> open or complete;  --grace--> removed
///     unknown --the same for the stable time--> read
struct Debouncer {
    /// A moment of elapsed time.
    typealias Instant = ContinuousClock.Instant

    /// What to do after a scan.
    enum Decision: Equatable {
        /// Scan again at ``Debouncer/deadline``.
        case wait
        /// Read these files, count missing ones as removed, and keep all others.
        case apply([RawPath])
    }

    private let policy: DebouncePolicy
    private var files: [RawPath: FileActivity] = [:]
    /// Directories that were moved into place with complete files in them.
    private var arrivedDirectories: Set<RawPath> = []
    /// How many times files have changed during a read.
    private var attempts: [RawPath: Int] = [:]
    /// When files that had content became blank.
    private var blankSince: [RawPath: Instant] = [:]
    private var firstEvent: Instant?
    private var lastEvent: Instant?

    /// A debouncer without events.
    init(policy: DebouncePolicy) {
        self.policy = policy
    }

    /// Whether there are no changes to wait for.
    var isIdle: Bool { firstEvent == nil && files.isEmpty }

    /// The files that are complete according to an event. They are read even if their stamp is unchanged, because two
    /// writes within one tick of the file system's clock have the same stamp.
    var completed: [RawPath] { files.filter(\.value.isComplete).map(\.key) }

    /// The files with a change that is not stable, by path.
    var pending: [RawPath] { files.isEmpty ? [] : files.keys.sorted() }

    /// When to scan next; nil if there are no changes to wait for.
    var deadline: Instant? {
        guard let firstEvent else { return files.values.compactMap { $0.release(by: policy) }.min() }
        var quietAt = (lastEvent ?? firstEvent) + policy.quiet
        for activity in files.values where !activity.isLeftBehind {
            if let release = activity.release(by: policy) { quietAt = max(quietAt, release) }
        }
        return min(quietAt, firstEvent + policy.batchCap)
    }

    /// Notes an event of a definition file.
    mutating func note(_ event: FileEvent, of path: RawPath, now: Instant) {
        var activity = files[path] ?? FileActivity()
        if event == .modified || event == .attributes, activity.writtenAt != nil {
            // A steady writer must neither delay the other files nor start batch after batch.
            if event == .modified { activity.writtenAt = now }
            files[path] = activity
            return
        }
        activity.candidate = nil
        activity.notBefore = nil
        activity.isLeftBehind = false
        activity.isComplete = event != .modified && event != .createdEmpty && event != .vanished
        activity.writtenAt = event == .modified || event == .createdEmpty ? now : nil
        if event != .attributes {
            activity.vanishedAt = event == .vanished ? now : nil
            activity.lostAt = nil
        }
        files[path] = activity
        noteSomething(now: now)
    }

    /// Notes a change of anything but a definition file.
    mutating func noteSomething(now: Instant) {
        firstEvent = firstEvent ?? now
        lastEvent = now
    }

    /// Notes that a directory, or a link to one, was moved into place.
    mutating func noteArrival(of directory: RawPath, now: Instant) {
        arrivedDirectories.insert(directory)
        noteSomething(now: now)
    }

    /// Notes that a file changed while it was read. Returns false if that happened too often to try again.
    mutating func postpone(_ path: RawPath, now: Instant) -> Bool {
        let attempt = (attempts.removeValue(forKey: path) ?? 0) + 1
        guard attempt < policy.readAttempts else { return false }
        attempts[path] = attempt
        files[path] = FileActivity(notBefore: now + policy.quiet, isLeftBehind: true)
        return true
    }

    /// Notes that a file that had content is blank. Returns true after the grace for missing files; until then the file
    /// is read again, and its old content stays.
    mutating func holdBlank(_ path: RawPath, now: Instant) -> Bool {
        let since = blankSince[path] ?? now
        guard now < since + policy.deleteGrace else { return true }
        blankSince[path] = since
        files[path] = FileActivity(notBefore: since + policy.deleteGrace, isLeftBehind: true)
        return false
    }

    /// Notes that the content of a file is in force.
    mutating func noteRead(_ path: RawPath) {
        blankSince[path] = nil
    }

    /// Decides about the differences that a scan found.
    ///
    /// - Parameters:
    ///   - changes: All files that differ from the content in force, and those of ``completed``.
    ///   - trustsAge: Whether a file without events may be read at once if its content is old enough. Where no
    ///     notification reports
    ///     writers, it must be unchanged in two scans instead.
    ///   - isForced: Whether to read without waiting.
    mutating func decide(_ changes: [FileChange], trustsAge: Bool, isForced: Bool = false, now: Instant) -> Decision {
        var present: [RawPath: FileActivity] = [:]
        var ready: [RawPath] = []
        for change in changes {
            var activity = files.removeValue(forKey: change.path) ?? FileActivity()
            update(&activity, with: change, trustsAge: trustsAge, now: now)
            present[change.path] = activity
            if isForced || activity.isStable(by: policy, now: now) { ready.append(change.path) }
        }
        // Of files that have events but do not differ, only those with an active writer matter.
        for (path, activity) in files where activity.writtenAt != nil && !activity.isStable(by: policy, now: now) {
            present[path] = activity
        }
        files = present
        if !attempts.isEmpty { attempts = attempts.filter { present[$0.key] != nil } }
        if !blankSince.isEmpty { blankSince = blankSince.filter { present[$0.key] != nil } }

        let began = firstEvent ?? now
        let isBlocked = present.values.contains { !$0.isLeftBehind && !$0.isStable(by: policy, now: now) }
        if isBlocked, !isForced, now < began + policy.batchCap {
            firstEvent = began
            return .wait
        }
        for path in ready { files[path] = nil }
        for path in files.keys { files[path]?.isLeftBehind = true }
        arrivedDirectories = []
        firstEvent = nil
        lastEvent = nil
        return .apply(ready.sorted())
    }

    private func update(_ activity: inout FileActivity, with change: FileChange, trustsAge: Bool, now: Instant) {
        switch change.kind {
        case .immediate:
            // But an active writer stays noted: what it has written may hide behind an old stamp.
            activity.lostAt = nil
            activity.candidate = nil
        case .lost:
            activity.lostAt = activity.lostAt ?? activity.vanishedAt ?? now
            activity.candidate = nil
        case .present(let stamp):
            activity.lostAt = nil
            if activity.writtenAt != nil || activity.isComplete || isArrived(change.path)
                || (trustsAge && change.age >= policy.stable)
            {
                activity.candidate = nil
            } else if activity.candidate?.stamp != stamp {
                activity.candidate = (stamp, now)
            }
        }
    }

    private func isArrived(_ path: RawPath) -> Bool {
        !arrivedDirectories.isEmpty && arrivedDirectories.contains { path.isWithin($0) }
    }
}
