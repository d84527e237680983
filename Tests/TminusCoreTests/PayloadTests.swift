import Foundation
import Testing

@testable import TminusCore

@Suite("payloads")
struct PayloadTests {
    /// Of an event with everything that a payload says of a definition.
    private func fired() throws -> Payload {
        let event = Definition.event(at: [at(10)]).with {
            ($0.name, $0.description, $0.labels) = ("Tea", "green", ["room": "kitchen"])
        }
        var scenario = Scenario(event)
        return try #require(scenario.step(now: at(10)).first?.payload)
    }

    @Test("that are read again are the ones that were written")
    func stored() throws {
        let payload = try fired()
        let read = try JSONDecoder().decode(Payload.self, from: JSONEncoder().encode(payload))
        #expect(read == payload && read.hashValue == payload.hashValue)
        #expect([read.id, read.name, read.description, read.timezone] == ["e", "Tea", "green", payload.timezone])
        #expect(read.kind == .event && read.labels == ["room": "kitchen"] && read.message == "Tea is due")
    }

    @Test("that differ in one text of the definition are not the same")
    func change() throws {
        let payload = try fired()
        var other = payload
        other.name = "Coffee"
        #expect(other != payload && payload.name == "Tea")
        #expect([other.id, other.name, other.description] == ["e", "Coffee", "green"])
        other.name = "Tea"
        #expect(other == payload)
    }
}
