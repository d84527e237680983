import Dispatch
import Synchronization
import TminusStorage

/// A connection on which the machines of a fleet wake each other (postgresql.org/docs/15/sql-notify.html).
///
/// A wake-up may get lost, with a lost connection or with a pooler that gives each transaction another one. So each machine also looks
/// every few seconds.
final class Listener: Sendable {
    /// Yields an element if another machine has written something since the last one. For one reader.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    /// Yields an element when a leader has ended in order, or may have. For one reader.
    let leaderEnds: AsyncStream<Void>
    private let leaderEnded: AsyncStream<Void>.Continuation
    private let address: PostgresAddress
    private let schema: SchemaName
    private let owner: String
    private let queue = DispatchQueue(label: "tminus.listener")
    // Only on the queue.
    private nonisolated(unsafe) var connection: Connection?
    private nonisolated(unsafe) var source: (any DispatchSourceRead)?
    private nonisolated(unsafe) var isOver = false
    private nonisolated(unsafe) var pause: (isRunning: Bool, tellsAfter: Bool) = (false, false)
    private let others = Mutex(0)

    /// Wakes the machines that listen. `$1` is the schema, and `$2` who wakes them.
    static let notify = "SELECT pg_notify($1, $2)"
    /// What a leader says at its end, in place of its name.
    static let farewell = "the leader has ended"

    // So long a server may be away before it is asked again.
    private static let absence = DispatchTimeInterval.seconds(3)
    // Everything that is written in this time is told at once.
    private static let pace = DispatchTimeInterval.milliseconds(50)

    /// A listener that has not begun. What `owner` sends wakes nobody here.
    init(_ address: PostgresAddress, schema: SchemaName, owner: String) {
        self.address = address
        self.schema = schema
        self.owner = owner
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (leaderEnds, leaderEnded) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects and listens, again after each loss.
    func start() { queue.async { self.listen() } }

    /// Notes how many other machines there may be. Without any, nobody is told.
    func note(others count: Int) { others.withLock { $0 = count } }

    /// Tells the other machines that something was written. Returns at once.
    func tellOthers() {
        guard others.withLock(\.self) > 0 else { return }
        queue.async { self.tell() }
    }

    /// Ends the connection and the streams.
    func end() {
        queue.async {
            self.isOver = true
            self.disconnect()
        }
        wake.finish()
        leaderEnded.finish()
    }

    private func listen() {
        guard !isOver else { return }
        do {
            let made = try Connection(address.settings, try Library.loaded.get())
            made.keepsNotifications = true
            connection = made
            try made.send("LISTEN \(schema.quoted)", [])
            _ = try made.answers()
            // Something may have been written before, and the leader may have ended.
            wake.yield()
            leaderEnded.yield()
            let source = DispatchSource.makeReadSource(fileDescriptor: made.socket, queue: queue)
            source.setEventHandler { [weak self] in self?.hear() }
            // The descriptor must stay open until then.
            source.setCancelHandler { made.finish() }
            self.source = source
            source.activate()
        } catch {
            lose()
        }
    }

    private func listenLater() { queue.asyncAfter(deadline: .now() + Self.absence) { [weak self] in self?.listen() } }

    private func tell() {
        guard !pause.isRunning else {
            pause.tellsAfter = true
            return
        }
        guard let connection else { return }
        pause = (true, false)
        queue.asyncAfter(deadline: .now() + Self.pace) { [weak self] in self?.endPause() }
        do {
            try connection.send(Self.notify, parameters(schema.rawValue, owner))
            _ = try connection.answers()
        } catch {
            return lose()
        }
        // Notifications may have come with the answer.
        hear()
    }

    private func endPause() {
        let tells = pause.tellsAfter
        pause = (false, false)
        if tells { tell() }
    }

    private func hear() {
        guard let connection else { return }
        do {
            let heard = try connection.notifications()
            if heard.contains(where: { $0 != owner }) { wake.yield() }
            if heard.contains(Self.farewell) { leaderEnded.yield() }
        } catch {
            lose()
        }
    }

    private func lose() {
        disconnect()
        listenLater()
    }

    private func disconnect() {
        if let source { source.cancel() } else { connection?.finish() }
        source = nil
        connection = nil
    }
}
