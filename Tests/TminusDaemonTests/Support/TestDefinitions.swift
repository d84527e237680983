import Foundation
import TminusCore

/// Takes documents of one timer, and puts it into a test schedule.
struct TestDefinitions: DefinitionControl {
    let desk: TestDesk
    let clock: any WallClock
    /// Whether the test itself puts them there.
    var isSlow = false

    func add(_ document: [UInt8], by: String) async throws(DefinitionRefusal) -> DefinitionID {
        let object = (try? JSONSerialization.jsonObject(with: Data(document))) as? [String: [String: Any]]
        guard let text = object?["timers"]?.keys.first, let id = DefinitionID(text) else { throw .invalid([]) }
        if desk.current[id] != nil { throw .taken(id, file: "a.yaml") }
        if isSlow { return id }
        desk.put([.timer(text, left: .seconds(60), of: .seconds(60), at: clock.now)])
        return id
    }

    func remove(_ id: DefinitionID) async throws(DefinitionRefusal) {
        guard desk.current[id] != nil else { throw .unknown(near: []) }
        desk.remove(id.rawValue)
    }
}
