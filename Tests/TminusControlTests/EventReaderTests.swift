import Testing

@testable import TminusControl

@Suite("Reader of events")
struct EventReaderTests {
    @Test("events of unknown kinds are passed over, with an id or without")
    func unknownKinds() throws {
        var reader = EventReader()
        reader.add(Array("event: hello\ndata: {\"level\":\"read\"}\n\n".utf8))
        reader.add(Array("id: k-1\nevent: removed\ndata: {\"id\":\"a\"}\n\n".utf8))
        reader.add(Array("event: clock\ndata: {}\n\nid: k-2\nevent: news\ndata: [1]\n\n".utf8))
        reader.add(Array("id: k-3\nevent: removed\ndata: {\"id\":\"b\"}\n\n".utf8))
        var seen: [String] = []
        while let element = try reader.next() {
            guard case .removed(let id) = element.event else { continue }
            seen.append("\(element.id) \(id)")
        }
        #expect(seen == ["k-1 a", "k-3 b"])
    }
}
