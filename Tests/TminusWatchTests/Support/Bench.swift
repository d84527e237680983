import Glibc
import Logging
import Synchronization
import TminusCore
import TminusSystem
import WatchTestSupport

@testable import TminusWatch

/// Hints by hand.
final class HandHints: HintSource {
    var pending: [Hint] = []
    var failure: HintFailure?
    var isFitting = true
    let descriptor: Int32 = -1
    let resets = 0

    func drain(_ receive: (Hint) -> Void) -> Int {
        let hints = pending
        pending = []
        hints.forEach(receive)
        return hints.count
    }

    func beginScan(of root: RawPath, receive: (Hint) -> Void) throws(HintFailure) {
        if let failure { throw failure }
    }

    func watch(_ path: RawPath, identity: FileIdentity) throws(HintFailure) {}

    func endScan(_ listing: Listing) throws(HintFailure) -> Bool { isFitting }

    func fileSystem(of path: RawPath) -> FileSystemKind { .local }
}

/// Lends the same hints again and again, after some failures. Unchecked: only the one task of a test uses it.
private final class Lender: @unchecked Sendable {
    let hints: HandHints
    var failures: Int

    init(_ hints: HandHints, failures: Int) {
        self.hints = hints
        self.failures = failures
    }

    func take() throws(HintFailure) -> any HintSource {
        if failures > 0 {
            failures -= 1
            throw HintFailure(reason: "no watches left")
        }
        return hints
    }
}

/// A loop that is driven by hand, over a real directory.
final class Bench {
    let place: Workplace
    let hints = HandHints()
    let control = WatchControl()
    let loop: WatchLoop
    let start = ContinuousClock.now
    private let record = LogRecord()
    private var clockOffset: Int64 = 0
    private let received = Received()

    final class Received: Sendable {
        let values = Mutex<[DirectoryContents]>([])
        let scans = Mutex<[Bool]>([])
    }

    /// What was logged.
    var log: [String] { record.messages.texts.withLock { $0 } }

    init(failures: Int = 0, options: WatchOptions = WatchOptions()) throws {
        place = try Workplace()
        try place.run("mkdir t; printf 1 > t/a.yaml; touch -d '1 hour ago' t/a.yaml")
        let lender = Lender(hints, failures: failures)
        let received = received
        loop = WatchLoop(
            root: RawPath(place.path + "/t"), options: options,
            makeHints: { () throws(HintFailure) in try lender.take() }, control: control,
            logger: Logger(label: "test") { [record] _ in record },
            scanned: { isIdle in received.scans.withLock { $0.append(isIdle) } },
            emit: { value in received.values.withLock { $0.append(value) } })
    }

    /// For each scan that was told of, whether it was timed and found nothing new.
    var scans: [Bool] { received.scans.withLock { $0 } }
    var values: [DirectoryContents] { received.values.withLock { $0 } }

    func step(_ milliseconds: Int, isReload: Bool = false) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let wallTime = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        loop.step(isReload: isReload, now: start + .milliseconds(milliseconds), wallTime: wallTime + clockOffset)
    }

    /// Sets the wall clock that the loop is given.
    func setClock(by seconds: Int64) {
        clockOffset += seconds * 1_000_000_000
    }

    /// In milliseconds from the start.
    var nextWake: Int? {
        loop.nextWake.map { Int(start.duration(to: $0) / .milliseconds(1)) }
    }
}

/// Keeps the messages that are logged.
private struct LogRecord: LogHandler {
    final class Messages: Sendable {
        let texts = Mutex<[String]>([])
    }

    let messages = Messages()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        messages.texts.withLock { $0.append("\(event.message)") }
    }
}
