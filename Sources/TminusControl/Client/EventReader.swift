internal import AsyncHTTPClient
internal import NIOCore

/// Parses server-sent events (WHATWG HTML, section 9.2.6), limited to the form that this daemon writes.
struct EventReader: Sendable {
    private var bytes: [UInt8] = []
    private var scanned = 0

    /// Appends received bytes.
    mutating func add(_ more: [UInt8]) { bytes += more }

    /// Returns the next complete event, nil if more bytes are needed. Skips events of unknown kinds.
    mutating func next() throws -> ControlEvents.Element? {
        while let end = endOfEvent() {
            let text = bytes[..<end]
            defer {
                bytes.removeFirst(end + 2)
                scanned = 0
            }
            if let event = try event(text) { return event }
        }
        return nil
    }

    private mutating func endOfEvent() -> Int? {
        let newline = UInt8(ascii: "\n")
        var index = scanned
        while index + 1 < bytes.count {
            if bytes[index] == newline, bytes[index + 1] == newline { return index }
            index += 1
        }
        scanned = max(0, bytes.count - 1)
        return nil
    }

    private func event(_ text: ArraySlice<UInt8>) throws -> ControlEvents.Element? {
        var (id, kind) = ("", "")
        var data: ArraySlice<UInt8> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "id: ".utf8) {
                id = String(decoding: line.dropFirst(4), as: UTF8.self)
            } else if line.starts(with: "event: ".utf8) {
                kind = String(decoding: line.dropFirst(7), as: UTF8.self)
            } else if line.starts(with: "data: ".utf8) {
                data = line.dropFirst(6)
            }
        }
        switch kind {
        case "snapshot": return (id, .snapshot(try ItemList(json: Array(data))))
        case "item":
            do {
                return (id, .item(try Item(json: Array(data))))
            } catch let mismatch as JSONScanner.Mismatch {
                return (id, .unreadable(ItemList.Unreadable(Array(data), mismatch)))
            }
        case "problems":
            var scanner = JSONScanner(Array(data))
            var problems: [String] = []
            try scanner.object { scanner, key in
                guard key == "problems" else { return try scanner.skip() }
                try scanner.array { problems.append(try $0.string()) }
            }
            return (id, .problems(problems))
        case "removed":
            var scanner = JSONScanner(Array(data))
            var removed = ""
            try scanner.object { if $1 == "id" { removed = try $0.string() } else { try $0.skip() } }
            return (id, .removed(removed))
        default: return nil
        }
    }
}

/// The body of an answer, chunk by chunk.
struct HTTPBody {
    private var pieces: HTTPClientResponse.Body.AsyncIterator

    /// Creates a reader of a response's body.
    init(_ response: HTTPClientResponse) {
        pieces = response.body.makeAsyncIterator()
    }

    /// Returns the next chunk, nil at the end.
    @concurrent mutating func next() async throws -> [UInt8]? {
        try await pieces.next().map { Array($0.readableBytesView) }
    }
}
