internal import NIOCore
internal import TminusControl
internal import TminusCore

/// The recent server-sent events (WHATWG HTML, section 9.2). Each is encoded once, for all viewers and for those that
/// reconnect.
///
/// An event's id is the id of the daemon's run and a number: `k3v-17`.
struct EventLog: Sendable {
    private struct Batch: Sendable {
        var first: Int
        var last: Int
        var bytes: ByteBuffer
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
    mutating func append(_ changes: [(id: String, item: Item?)]) -> ByteBuffer {
        let first = last + 1
        var bytes = ByteBuffer()
        for change in changes {
            last += 1
            if let item = change.item {
                bytes.write("item", id: position, item.json)
            } else {
                bytes.write("removed", id: position, Array(#"{"id":"\#(change.id)"}"#.utf8))
            }
        }
        keep(bytes, from: first)
        return bytes
    }

    /// Appends an event with the problems of the directory and its files, and returns its encoding.
    mutating func append(problems: [String]) -> ByteBuffer {
        last += 1
        let bytes = current(problems)
        keep(bytes, from: last)
        return bytes
    }

    /// Encodes the problems for a viewer that has all items but not these.
    func current(_ problems: [String]) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write("problems", id: position, Self.json(problems))
        return bytes
    }

    private mutating func keep(_ bytes: ByteBuffer, from first: Int) {
        batches.append(Batch(first: first, last: last, bytes: bytes))
        size += bytes.readableBytes
        while size > Self.limit, batches.count > 1 { size -= batches.removeFirst().bytes.readableBytes }
    }

    private static func json(_ problems: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("problems", texts: problems) }
        return writer.bytes
    }

    /// Returns the events after the one with this id, nil if some of them are gone. May repeat some earlier events,
    /// which is harmless because each carries a whole item.
    func since(_ id: String) -> [ByteBuffer]? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, parts[0] == run, let number = Int(parts[1]), (0...last).contains(number) else {
            return nil
        }
        if number == last { return [] }
        guard let first = batches.first?.first, number + 1 >= first else { return nil }
        return batches.filter { $0.last > number }.map(\.bytes)
    }

    /// Encodes a snapshot event with all items, for a new viewer, and an event with the problems if there are any.
    func snapshot(_ items: [Item], problems: [String] = []) -> ByteBuffer {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for item in items {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += item.json
        }
        json.append(UInt8(ascii: "]"))
        var bytes = ByteBuffer()
        bytes.write("snapshot", id: position, json)
        if !problems.isEmpty { bytes.write("problems", id: position, Self.json(problems)) }
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
