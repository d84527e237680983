import Glibc
import Logging
import TminusCore

/// The loop of a watcher: waits for hints, requests and deadlines, and emits the content when it has changed and is
/// stable. Belongs to one thread.
final class WatchLoop {
    /// A moment of elapsed time.
    typealias Instant = ContinuousClock.Instant
    /// Creates the source of hints; nil for a loop that only polls.
    typealias MakeHints = @Sendable () throws(HintFailure) -> any HintSource

    private static let overlayInterval: Duration = .seconds(10)

    private let root: RawPath
    private let options: WatchOptions
    private let makeHints: MakeHints?
    private let control: WatchControl
    private let scanned: (_ isIdle: Bool) -> Void
    private let emit: (DirectoryContents) -> Void
    private let logger: Logger
    private let reader: SnapshotReader
    private let access: WriteAccess

    private var hints: (any HintSource)?
    private var debouncer: Debouncer
    private var snapshot = Snapshot()
    private var emitted: DirectoryContents?
    private var nextRescan: Instant?
    private var nextAttempt: Instant?
    private var lastFailure: String?
    private var isSilent = false
    /// Whether a timed rescan, not a hint, found the pending changes.
    private var wasMissed = false
    /// Whether the watches do not match the tree that was listed last.
    private var isStale = false
    /// The pending files in the published status.
    private var pending: [RawPath] = []

    /// A loop that has not started.
    init(
        root: RawPath, options: WatchOptions, makeHints: MakeHints?, control: WatchControl, logger: Logger,
        scanned: @escaping (_ isIdle: Bool) -> Void = { _ in }, emit: @escaping (DirectoryContents) -> Void
    ) {
        self.root = root
        self.options = options
        self.makeHints = options.mode == .poll ? nil : makeHints
        self.control = control
        self.logger = logger
        self.scanned = scanned
        self.emit = emit
        reader = SnapshotReader(root: root, reader: FileReader(sizeLimit: options.sizeLimit))
        access = WriteAccess(isChecked: !options.allowsInsecurePermissions)
        var policy = DebouncePolicy()
        policy.quiet = options.quiet
        debouncer = Debouncer(policy: policy)
    }

    /// Runs until a stop is requested. `wake` becomes readable when there is a request.
    func run(wake: Int32) {
        var waiter = HintWaiter(wake: wake)
        while true {
            let requests = control.takeRequests()
            if requests.stop { break }
            let count = step(isReload: requests.reload, now: .now, wallTime: Self.wallTime())
            let isAlive = waiter.wait(for: hints?.descriptor, until: nextWake, isBusy: count > 0)
            if !isAlive { lose(HintFailure(reason: "the inotify descriptor was closed"), now: .now) }
        }
        hints = nil
    }

    /// The latest time for the next ``step(isReload:now:wallTime:)``.
    var nextWake: Instant? {
        [debouncer.deadline, nextRescan, hints == nil && makeHints != nil ? nextAttempt : nil].compactMap(\.self).min()
    }

    /// Receives the hints, and scans if a scan is due. Returns the number of notifications.
    ///
    /// - Parameters:
    ///   - isReload: whether to read without waiting for stable files.
    ///   - wallTime: nanoseconds since the epoch; used only for the age of files.
    @discardableResult
    func step(isReload: Bool, now: Instant, wallTime: Int64) -> Int {
        if hints == nil { openHints(now: now) }
        let count = hints?.drain { receive($0, now: now) } ?? 0
        let isDue = debouncer.deadline.map { $0 <= now } ?? false
        let isTimed = nextRescan.map { $0 <= now } ?? true
        if isReload || isDue || isTimed {
            scan(isForced: isReload, isTimed: !isReload && !isDue, now: now, wallTime: wallTime)
        }
        publishPending()
        if isReload { control.update { $0.reloads += 1 } }
        return count
    }

    private func publishPending() {
        let current = debouncer.pending
        guard current != pending else { return }
        pending = current
        control.update { $0.pending = current.map(\.shown) }
    }

    private func receive(_ hint: Hint, now: Instant) {
        switch hint {
        case .file(let path, let event):
            control.update { $0.events += 1 }
            debouncer.note(event, of: path, now: now)
        case .arrival(let directory): debouncer.noteArrival(of: directory, now: now)
        case .something, .structure: debouncer.noteSomething(now: now)
        case .overflow:
            control.update { $0.overflows += 1 }
            debouncer.noteSomething(now: now)
        }
    }

    // MARK: Scanning

    private func scan(isForced: Bool, isTimed: Bool, now: Instant, wallTime: Int64) {
        let emissions = control.status.emissions
        defer {
            let isSeldom = nextRescan == now + options.rescanInterval
            scanned(isTimed && isSeldom && debouncer.isIdle && control.status.emissions == emissions)
        }
        let cause: WatchStatus.ScanCause = isForced ? .request : isTimed ? .timer : .change
        control.update { $0.scansByCause[cause, default: 0] += 1 }
        let listing = list(now: now)
        control.update { $0.ignored = listing.ignored }
        nextRescan = now + rescanInterval(after: listing)
        // Where events report every write, the timed rescan is early enough to read doubtful files again.
        let changes = snapshot.changes(
            in: listing, completed: debouncer.completed, rereads: isTimed || isForced, wallTime: wallTime)
        if isTimed, debouncer.isIdle, hints != nil, emitted != nil { wasMissed = true }
        let trustsAge = emitted == nil || (hints != nil && !isSilent)
        let decision = debouncer.decide(changes, trustsAge: trustsAge, isForced: isForced, now: now)
        // After the decision, because the decision ends the batch.
        if isStale { debouncer.noteSomething(now: now) }
        isStale = false
        guard case .apply(let paths) = decision else { return }
        let changed = read(paths, listing: listing, isForced: isForced, now: now, wallTime: wallTime)
        guard !control.isStopping else { return }
        if wasMissed, changed > 0 { control.update { $0.missedChanges += changed } }
        wasMissed = false

        if emitted == nil { snapshot.begin(with: listing) }
        var contents = snapshot.contents(root: root, listing: listing)
        if let emitted, emitted.isSame(as: contents) { return }
        emitted = contents
        // Before emitting: a receiver of the content must not find it still pending.
        publishPending()
        control.update { $0.emissions += 1 }
        contents.number = control.status.emissions
        emit(contents)
    }

    private func list(now: Instant) -> Listing {
        if let hints {
            let resets = hints.resets
            defer { control.update { $0.resets += hints.resets - resets } }
            do {
                try hints.beginScan(of: root) { receive($0, now: now) }
                let listing = try DirectoryWalk.list(root, limits: WalkLimits(), access: access) {
                    (path, identity) throws(HintFailure) in
                    try hints.watch(path, identity: identity)
                }
                if try !hints.endScan(listing) { isStale = true }
                regain()
                return listing
            } catch {
                lose(error, now: now)
            }
        }
        return DirectoryWalk.list(root, limits: WalkLimits(), access: access) { (_, _) throws(Never) in }
    }

    /// Returns how many files have other content now.
    private func read(
        _ paths: [RawPath], listing: Listing, isForced: Bool, now: Instant, wallTime: Int64
    ) -> Int {
        var changed = 0
        for path in paths {
            // Reading a hundred thousand files takes a while, so check for a stop between them.
            if control.isStopping { break }
            if listing.files[path]?.isRegular == true { control.update { $0.reads += 1 } }
            var outcome = reader.update(
                path, in: &snapshot, listing: listing, isBlankMeant: isForced, wallTime: wallTime)
            if outcome == .blank, debouncer.holdBlank(path, now: now) {
                outcome = reader.update(path, in: &snapshot, listing: listing, wallTime: wallTime)
            }
            switch outcome {
            case .changed, .same:
                debouncer.noteRead(path)
                if outcome == .changed { changed += 1 }
            case .blank: break
            case .changing, .vanished:
                if !debouncer.postpone(path, now: now),
                    reader.giveUp(on: path, in: &snapshot, listing: listing) == .changed
                {
                    changed += 1
                }
            }
        }
        return changed
    }

    private func rescanInterval(after listing: Listing) -> Duration {
        guard let hints else { return options.pollInterval }
        var kind = FileSystemKind.local
        if options.mode != .events {
            // A part of the tree can be a separate mount.
            for directory in listing.places { kind = max(kind, hints.fileSystem(of: root.appending(directory.bytes))) }
        }
        isSilent = kind == .silent
        return switch kind {
        case .local: options.rescanInterval
        case .overlay: min(options.rescanInterval, Self.overlayInterval)
        case .silent: min(options.rescanInterval, options.pollInterval)
        }
    }

    // MARK: Notifications and their loss

    private func openHints(now: Instant) {
        guard let makeHints else {
            if nextRescan == nil { control.update { $0.mode = .polling(reason: nil) } }
            return
        }
        if let nextAttempt, now < nextAttempt { return }
        do {
            hints = try makeHints()
            // The next scan adds the watches.
            nextRescan = nil
        } catch {
            lose(error, now: now)
        }
    }

    /// Records that all watches exist. An instance alone is not enough, because the limit of watches may be reached.
    private func regain() {
        guard control.status.mode != .events else { return }
        if lastFailure != nil {
            logger.notice("watching by notifications again", metadata: ["watch.root": "\(root.shown)"])
        }
        lastFailure = nil
        control.update { $0.mode = .events }
    }

    private func lose(_ failure: HintFailure, now: Instant) {
        hints = nil
        nextAttempt = now + options.retryInterval
        nextRescan = min(nextRescan ?? now, now + options.pollInterval)
        control.update { $0.mode = .polling(reason: failure.reason) }
        guard failure.reason != lastFailure else { return }
        lastFailure = failure.reason
        logger.warning(
            "no notifications of changes: polling instead",
            metadata: [
                "watch.root": "\(root.shown)", "watch.interval": "\(options.pollInterval)",
                "watch.reason": "\(failure.reason)",
            ])
    }

    private static func wallTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
