internal import NIOCore
internal import TminusControl
internal import TminusCore

/// The recent server-sent events (WHATWG HTML, section 9.2). Each is encoded twice, for the viewers that see all and for readers,
/// and kept for those that reconnect.
///
/// An event's id is the id of the daemon's run and a number: `k3v-17`.
struct EventLog: Sendable {
    /// Events in a row.
    struct Batch: Sendable {
        fileprivate var first: Int
        fileprivate var last: Int
        fileprivate var whole = ByteBuffer()
        /// Empty if a reader may see nothing of them.
        fileprivate var forReaders = ByteBuffer()

        /// The encoding for a viewer.
        func bytes(seesAll: Bool) -> ByteBuffer { seesAll ? whole : forReaders }

        fileprivate var size: Int { whole.readableBytes + forReaders.readableBytes }
    }

    private let run: String
    private var batches: [Batch] = []
    private var size = 0
    /// The number of the last event.
    private(set) var last = 0

    /// The id of the last event, from which a viewer can resume.
    var position: String { "\(run)-\(last)" }

    /// The number of bytes kept for viewers that reconnect.
    private static let limit = 1 << 20

    /// Creates an empty log. `run` identifies this run of the daemon.
    init(run: String) {
        self.run = run
    }

    /// Appends events, a changed item or the id of a removed one, and returns their encoding.
    mutating func append(_ changes: [(id: String, item: Item?)]) -> Batch {
        var batch = Batch(first: last + 1, last: last + changes.count)
        for change in changes {
            last += 1
            if let item = change.item {
                batch.whole.write("item", id: position, item.json)
                batch.forReaders.write("item", id: position, item.forReaders.json)
            } else {
                let json = Array(#"{"id":"\#(change.id)"}"#.utf8)
                batch.whole.write("removed", id: position, json)
                batch.forReaders.write("removed", id: position, json)
            }
        }
        keep(batch)
        return batch
    }

    /// Appends an event with the problems of the directory and its files, and returns its encoding.
    mutating func append(problems: [String]) -> ByteBuffer {
        last += 1
        let bytes = current(problems)
        keep(Batch(first: last, last: last, whole: bytes))
        return bytes
    }

    /// Encodes the problems for a viewer that has all items but not these.
    func current(_ problems: [String]) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write("problems", id: position, Self.json(problems))
        return bytes
    }

    private mutating func keep(_ batch: Batch) {
        batches.append(batch)
        size += batch.size
        while size > Self.limit, batches.count > 1 { size -= batches.removeFirst().size }
    }

    private static func json(_ problems: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("problems", texts: problems) }
        return writer.bytes
    }

    /// Returns the events after the one with this id, nil if some of them are gone. May repeat some earlier events,
    /// which is harmless because each carries a whole item.
    ///
    /// - Parameter seesAll: Whether they are for a viewer that sees all.
    func since(_ id: String, seesAll: Bool) -> [ByteBuffer]? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, parts[0] == run, let number = Int(parts[1]), (0...last).contains(number) else {
            return nil
        }
        if number == last { return [] }
        guard let first = batches.first?.first, number + 1 >= first else { return nil }
        return batches.filter { $0.last > number }.map { $0.bytes(seesAll: seesAll) }.filter { $0.readableBytes > 0 }
    }

    /// Encodes a snapshot event with all items, for a new viewer.
    func snapshot(_ items: [Item]) -> ByteBuffer {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for item in items {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += item.json
        }
        json.append(UInt8(ascii: "]"))
        var bytes = ByteBuffer()
        bytes.write("snapshot", id: position, json)
        return bytes
    }
}

extension EventLog {
    /// An empty log that continues the numbering, so a viewer that reconnects gets a full snapshot.
    var next: EventLog {
        var log = EventLog(run: run)
        log.last = last + 1
        return log
    }
}
