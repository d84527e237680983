import Testing
import TminusCore

@testable import TminusDaemon

@Suite("Definition files of followers that differ")
struct FileDifferencesTests {
    private let start = ContinuousClock.now
    private var differences = FileDifferences()

    private mutating func take(_ hashes: [String: String?], own: String?, after seconds: Int) -> Set<String> {
        let followers = hashes.map { FleetMachine(process: $0.key, hash: $0.value) }
        return differences.take(followers, hash: own, at: start + .seconds(seconds))
    }

    @Test("an edit may take half a minute to reach all machines")
    mutating func lasting() {
        #expect(take(["a": "1", "b": "1"], own: "1", after: 0).isEmpty)
        #expect(take(["a": "1", "b": "1"], own: "2", after: 10).isEmpty)
        #expect(take(["a": "2", "b": "1"], own: "2", after: 39).isEmpty)
        #expect(take(["a": "2", "b": "1"], own: "2", after: 40) == ["b"])
        #expect(take(["a": "2", "b": "2"], own: "2", after: 41).isEmpty)
        #expect(take(["a": "2", "b": "3"], own: "2", after: 60).isEmpty, "counted anew")
    }

    @Test("what is unknown stays as it was")
    mutating func unknown() {
        _ = take(["old": nil, "b": "2"], own: "1", after: 0)
        #expect(take(["old": nil, "b": "2"], own: "1", after: 30) == ["b"])
        #expect(take(["old": nil, "b": "1"], own: nil, after: 31) == ["b"], "while a file of the leader is broken")
        #expect(take(["old": nil, "b": "1"], own: "1", after: 32).isEmpty)
        #expect(take(["old": "2"], own: nil, after: 33).isEmpty)
        #expect(take([:], own: "1", after: 90).isEmpty, "it has ended")
    }
}
