import HTTPTypes
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

    @Test(
        "a client is local by its address, unless a proxy stands between",
        arguments: [
            ("127.0.0.1", nil, true), ("127.8.8.8", nil, true), ("::1", nil, true), ("::ffff:127.0.0.1", nil, true),
            ("192.168.1.9", nil, false), ("::ffff:10.0.0.1", nil, false), ("fe80::1", nil, false), (nil, nil, false),
            ("127.0.0.1", "X-Forwarded-For", false), ("::1", "Forwarded", false), ("127.0.0.1", "via", false),
            ("127.0.0.1", "X-Real-IP", false), ("127.0.0.1", "X-Forwarded-Host", false),
        ] as [(String?, String?, Bool)])
    func local(address: String?, field: String?, isLocal: Bool) throws {
        var fields = HTTPFields()
        if let field { fields[try #require(HTTPField.Name(field))] = "1.2.3.4" }
        #expect(WebClient(address: address, fields).isLocal == isLocal)
    }
}
