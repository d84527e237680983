/// Decides when an edit is complete. Notifications and scans go in; when to look next, and which files to read, come
/// out.
///
/// Files change in batches: a batch begins with its first event and ends when it has been quiet and every file in it is
/// complete, so that a rename or a move from file to file is seen as one change. A batch never waits longer than the
/// policy's cap: what is complete then is applied, the rest is left behind and follows when it is.
///
///     open    --closed, renamed into place--> complete --quiet--> read
///     open    --no write for the gate limit--> read as it is
///     lost    --back--> open or complete;  --grace--> removed
///     unknown --the same for the stable time--> read
struct Settler {
    /// A moment of elapsed time.
    typealias Instant = ContinuousClock.Instant

    /// What to do after a scan.
    enum Decision: Equatable {
        /// Nothing yet: scan again at ``Settler/deadline``.
        case wait
        /// Read these, take those of them that are gone for removed, and keep all others as they are.
        case apply([RawPath])
    }

    private let policy: SettlePolicy
    private var files: [RawPath: FileActivity] = [:]
    /// Directories that came into place as a whole, with complete files in them.
    private var arrivedDirectories: Set<RawPath> = []
    /// How often files have changed during a read.
    private var attempts: [RawPath: Int] = [:]
    /// Since when nothing is left in files that had content.
    private var blankSince: [RawPath: Instant] = [:]
    private var firstEvent: Instant?
    private var lastEvent: Instant?

    /// A settler with nothing to settle.
    init(policy: SettlePolicy) {
        self.policy = policy
    }

    /// Whether nothing is going on.
    var isIdle: Bool { firstEvent == nil && files.isEmpty }

    /// The files that an event said are complete: to be read even if their stamp is the old one, since two writes
    /// within one tick of the file system's clock give the same.
    var completed: [RawPath] { files.filter(\.value.isComplete).map(\.key) }

    /// The files with a change that is not settled, in the order of their paths.
    var pending: [RawPath] { files.isEmpty ? [] : files.keys.sorted() }

    /// When to scan next; nil if nothing is going on.
    var deadline: Instant? {
        guard let firstEvent else { return files.values.compactMap { $0.release(by: policy) }.min() }
        var quietAt = (lastEvent ?? firstEvent) + policy.quiet
        for activity in files.values where !activity.isLeftBehind {
            if let release = activity.release(by: policy) { quietAt = max(quietAt, release) }
        }
        return min(quietAt, firstEvent + policy.batchCap)
    }

    /// Takes in what happened to a definition file.
    mutating func note(_ event: FileEvent, of path: RawPath, now: Instant) {
        var activity = files[path] ?? FileActivity()
        if event == .modified || event == .attributes, activity.writtenAt != nil {
            // A steady writer: it neither ends the quiet of the others nor opens a batch again and again.
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

    /// Takes in that something changed that is not a definition file itself.
    mutating func noteSomething(now: Instant) {
        firstEvent = firstEvent ?? now
        lastEvent = now
    }

    /// Takes in that a directory was put into place as a whole by a rename, or a link to one was.
    mutating func noteArrival(of directory: RawPath, now: Instant) {
        arrivedDirectories.insert(directory)
        noteSomething(now: now)
    }

    /// Takes in that a file changed while it was read. Returns false when it has done so too often to try once more.
    mutating func postpone(_ path: RawPath, now: Instant) -> Bool {
        let attempt = (attempts.removeValue(forKey: path) ?? 0) + 1
        guard attempt < policy.readAttempts else { return false }
        attempts[path] = attempt
        files[path] = FileActivity(notBefore: now + policy.quiet, isLeftBehind: true)
        return true
    }

    /// Takes in that nothing is left in a file that had content. Returns true when it has been so for as long as a file
    /// may be gone; until then it is read again, and its old content stays.
    mutating func holdBlank(_ path: RawPath, now: Instant) -> Bool {
        let since = blankSince[path] ?? now
        guard now < since + policy.deleteGrace else { return true }
        blankSince[path] = since
        files[path] = FileActivity(notBefore: since + policy.deleteGrace, isLeftBehind: true)
        return false
    }

    /// Takes in that the content of a file was put in force.
    mutating func noteRead(_ path: RawPath) {
        blankSince[path] = nil
    }

    /// Decides what to do about the differences that a scan found.
    ///
    /// - Parameters:
    ///   - changes: every file that differs from what is in force, and those of ``completed``.
    ///   - trustsAge: whether a file without events may be read at once if its content is old enough. Not so where
    ///     nothing tells of writers: there it must be the same in two scans.
    ///   - isForced: whether to wait for nothing.
    mutating func decide(_ changes: [FileChange], trustsAge: Bool, isForced: Bool = false, now: Instant) -> Decision {
        var present: [RawPath: FileActivity] = [:]
        var ready: [RawPath] = []
        for change in changes {
            var activity = files.removeValue(forKey: change.path) ?? FileActivity()
            update(&activity, with: change, trustsAge: trustsAge, now: now)
            present[change.path] = activity
            if isForced || activity.isSettled(by: policy, now: now) { ready.append(change.path) }
        }
        // What has events but does not differ: only a writer that may still go on matters.
        for (path, activity) in files where activity.writtenAt != nil && !activity.isSettled(by: policy, now: now) {
            present[path] = activity
        }
        files = present
        if !attempts.isEmpty { attempts = attempts.filter { present[$0.key] != nil } }
        if !blankSince.isEmpty { blankSince = blankSince.filter { present[$0.key] != nil } }

        let began = firstEvent ?? now
        let isBlocked = present.values.contains { !$0.isLeftBehind && !$0.isSettled(by: policy, now: now) }
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
        case .settled:
            // Except for a writer at work: what it has written may hide behind an old stamp.
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
