internal import NIOCore
internal import TminusControl

/// The events that were sent, as server-sent events (WHATWG HTML, section 9.2): encoded once, for all viewers and for those who
/// come back.
///
/// An event's id is that of the run of the daemon and a number: `k3v-17`.
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

    /// How many bytes are kept for who comes back.
    private static let limit = 1 << 20

    /// A log without events. `run` tells this run from others.
    init(run: String) {
        self.run = run
    }

    /// Adds events: an item that is another than before, or the id of one that is gone. Returns their bytes.
    mutating func append(_ changes: [(id: String, item: Item?)]) -> ByteBuffer {
        let first = last + 1
        var bytes = ByteBuffer()
        for change in changes {
            last += 1
            if let item = change.item {
                bytes.write("item", "\(run)-\(last)", item.json)
            } else {
                bytes.write("removed", "\(run)-\(last)", Array(#"{"id":"\#(change.id)"}"#.utf8))
            }
        }
        batches.append(Batch(first: first, last: last, bytes: bytes))
        size += bytes.readableBytes
        while size > Self.limit, batches.count > 1 { size -= batches.removeFirst().bytes.readableBytes }
        return bytes
    }

    /// What came after the event of that id, if all of it is still known. It may begin some events too early: each is whole.
    func since(_ id: String) -> [ByteBuffer]? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, parts[0] == run, let number = Int(parts[1]), (0...last).contains(number) else {
            return nil
        }
        if number == last { return [] }
        guard let first = batches.first?.first, number + 1 >= first else { return nil }
        return batches.filter { $0.last > number }.map(\.bytes)
    }

    /// One event with all items, for who knows nothing yet.
    func snapshot(_ items: [Item]) -> ByteBuffer {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for item in items {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += item.json
        }
        json.append(UInt8(ascii: "]"))
        var bytes = ByteBuffer()
        bytes.write("snapshot", "\(run)-\(last)", json)
        return bytes
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ event: String, _ id: String, _ data: [UInt8]) {
        writeString("id: \(id)\nevent: \(event)\ndata: ")
        writeBytes(data)
        writeString("\n\n")
    }
}

extension EventLog {
    /// A log that goes on with the numbers of this one and knows none of its events: who comes back to it begins anew.
    var next: EventLog {
        var log = EventLog(run: run)
        log.last = last + 1
        return log
    }
}
