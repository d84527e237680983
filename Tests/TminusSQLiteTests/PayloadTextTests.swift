import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: payloads")
struct PayloadTextTests {
    private let odd = "O'Brien: \"1:x-\" 🎉\n日本語"

    private func payload(full: Bool) -> Payload {
        var payload = Payload(
            id: "tea", kind: .timer, name: odd, description: full ? odd : nil,
            labels: full ? ["a": odd, "": "-"] : [:],
            due: "2026-01-01T00:00:00Z", timezone: "Europe/Berlin",
            before: full ? Payload.Amount(nanoseconds: .max, text: odd) : nil,
            remaining: Payload.Amount(nanoseconds: .min, text: ""), scheduled: .distantPast, fired: .distantFuture,
            late: -1, isCatchUp: full, occurrence: Timestamp(nanoseconds: -1), message: odd,
            failure: full
                ? Payload.Failure(delivery: "id", action: .reminder, sink: odd, reason: odd, attempts: 7) : nil,
            missed: full ? Payload.Missed(reason: .tooLate, count: 3) : nil)
        payload.messageBeforeRemaining = full ? odd : nil
        return payload
    }

    @Test("what is written is read", arguments: [true, false])
    func roundTrip(full: Bool) throws {
        #expect(PayloadText.decode(try PayloadText.encode(payload(full: full))) == payload(full: full))
    }

    @Test("that it is a test is kept, with a time of a stopwatch and without", arguments: [nil, 5] as [Int64?])
    func test(elapsed: Int64?) throws {
        var payload = payload(full: false)
        payload.isTest = true
        payload.elapsed = elapsed.map { Payload.Amount(nanoseconds: $0, text: "5 ns") }
        let text = try PayloadText.encode(payload)
        #expect(PayloadText.decode(text) == payload)
        #expect(PayloadText.decode(text + "-") == nil)
    }

    @Test("a text with a NUL is whole in the store's column, which ends there")
    func nul() throws {
        var payload = payload(full: true)
        payload.name = "a\u{0}b"
        let text = try PayloadText.encode(payload)
        #expect(!text.utf8.contains(0))
        #expect(PayloadText.decode(text) == payload)
    }

    @Test("no part of a payload is taken for one, nor is anything else")
    func damaged() throws {
        let text = try PayloadText.encode(payload(full: true))
        for end in text.unicodeScalars.indices { #expect(PayloadText.decode(String(text[..<end])) == nil) }
        for other in ["", "1", "2" + text.dropFirst(), text + "-", "{", "199999999999999999999:x", "1-1:"] {
            #expect(PayloadText.decode(other) == nil, "\(other)")
        }
    }
}
