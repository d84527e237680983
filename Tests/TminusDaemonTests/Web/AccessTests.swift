import Testing
import TminusControl
import TminusCore

@testable import TminusDaemon

@Suite("Access")
struct AccessTests {
    @Test(
        "a level allows what needs it or less; a stranger is asked who they are, others are told what is missing",
        arguments: AccessLevel.allCases, AccessLevel.allCases)
    func levels(has: AccessLevel, needs: AccessLevel) throws {
        for name in ["", "lobby"] {
            let access = Access(level: has, name: name)
            guard has < needs else {
                try access.require(needs)
                continue
            }
            let problem = #expect(throws: Problem.self) { try access.require(needs, for: "'then'") }
            #expect(problem?.kind == (name.isEmpty ? .unauthorized : .forbidden))
            #expect(problem?.detail.hasPrefix("'then' needs level \(needs.rawValue)") == true)
        }
    }
}
