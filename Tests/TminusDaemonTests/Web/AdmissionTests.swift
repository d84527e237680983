import Foundation
import HTTPTypes
import Logging
import Testing
import TminusControl
import TminusCore
import TminusTestKit
import TminusTooling

@testable import TminusDaemon

/// Who is let in over TCP.
@Suite("Admission")
struct AdmissionTests {
    private func request(_ method: HTTPRequest.Method = .get, _ authorization: String?) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: nil, authority: "localhost", path: "/items")
        request.headerFields[.authorization] = authorization
        return request
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test("Bearer is for every method; Basic with the token as password for reading alone, with any user name")
    func credentials() {
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            #expect(Credentials(request(method, "Bearer abc")) == .token("abc"))
            #expect(Credentials(request(method, "bearer abc")) == .token("abc"))
            #expect(Credentials(request(method, nil)) == .none)
        }
        #expect(Credentials(request(.get, "Basic \(base64("calendar:abc"))")) == .token("abc"))
        #expect(Credentials(request(.head, "basic \(base64(":a:b"))")) == .token("a:b"))
        for (method, field) in [
            (HTTPRequest.Method.post, "Basic \(base64("x:abc"))"), (.get, "Basic \(base64("abc"))"),
            (.get, "Basic %%%"),
            (.get, "Bearer"), (.get, "Digest abc"), (.get, ""), (.get, "abc"),
        ] {
            guard case .unusable = Credentials(request(method, field)) else {
                Issue.record("\(method) \(field)")
                continue
            }
        }
    }

    /// A token file with one token of each level, and the secrets by level.
    private func withTokens(
        _ rules: WebRules = WebRules(),
        _ body: (Admission, [AccessLevel: String], TokenFile, LogRecord) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "tminus-admission-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = TokenFile("\(directory)/tokens")
        var secrets: [AccessLevel: String] = [:]
        for level in AccessLevel.granted {
            let (token, secret) = AccessToken.make("\(level)-token", level, now: at(0))
            try file.add(token)
            secrets[level] = secret
        }
        let log = LogRecord()
        let desk = try TokenDesk(file.path, allowsInsecurePermissions: false, logger: log.logger)
        let sessions = SessionDesk(store: MemoryStore(), clock: ManualClock(now: at(0)), logger: log.logger)
        try await body(Admission(desk, sessions: sessions, rules: rules, logger: log.logger), secrets, file, log)
    }

    private let near = WebClient(address: "127.0.0.1", isLocal: true)
    private let far = WebClient(address: "192.0.2.7")

    @Test("a token gives its level; edit only where it is allowed, and from another machine not over plain HTTP")
    func levels() async throws {
        for allowsEdit in [false, true] {
            try await withTokens(WebRules(allowsEdit: allowsEdit)) { admission, secrets, _, _ in
                for (level, secret) in secrets {
                    for client in [near, far] {
                        let access = try await admission.access(request(.post, "Bearer \(secret)"), client)
                        let hasEdit = allowsEdit && client.isLocal
                        #expect(access.level == (hasEdit ? level : min(level, .control)))
                        #expect(access.name == "\(level)-token")
                        let problem = Result { try access.require(.edit, for: "'then'") }
                        guard !hasEdit, case .failure(let error as Problem) = problem else { continue }
                        #expect(error.kind == .forbidden)
                        #expect(error.detail.contains(allowsEdit ? "use TLS" : "--allow-edit"), "\(error.detail)")
                    }
                }
            }
        }
    }

    @Test("without a token a program of this machine may read, unless that is private, and nobody else")
    func strangers() async throws {
        for isPrivate in [false, true] {
            try await withTokens(WebRules(isPrivate: isPrivate)) { admission, _, _, _ in
                let here = try await admission.access(request(.get, nil), near).level
                let elsewhere = try await admission.access(request(.get, nil), far).level
                #expect(here == (isPrivate ? .open : .read) && elsewhere == .open)
            }
        }
    }

    @Test("a wrong token is refused with one answer, whether it is close, empty or of a token that was removed")
    func wrong() async throws {
        try await withTokens { admission, secrets, file, _ in
            let secret = try #require(secrets[.read])
            try file.remove("read-token")
            var answers: Set<Problem> = []
            for (number, text) in [secret, String(secret.dropLast()), secret + "a", "x", "tminus_"].enumerated() {
                let client = WebClient(address: "192.0.2.\(number)")
                let refusal = await #expect(throws: Admission.Refusal.self) {
                    try await admission.access(request(.get, "Bearer \(text)"), client)
                }
                answers.insert(try #require(refusal).problem)
            }
            #expect(answers.count == 1 && answers.first?.kind == .unauthorized)
            #expect(
                try await admission.access(request(.get, "Bearer \(secrets[.control] ?? "")"), near).level == .control)
        }
    }

    @Test("after ten wrong tokens in a minute an address has to wait, but a right token of it still passes")
    func limit() async throws {
        try await withTokens { admission, secrets, _, log in
            let now = ContinuousClock.now
            for _ in 0..<10 {
                let refusal = await #expect(throws: Admission.Refusal.self) {
                    try await admission.access(request(.get, "Bearer x"), far, now: now)
                }
                #expect(refusal?.problem.kind == .unauthorized)
            }
            let refusal = await #expect(throws: Admission.Refusal.self) {
                try await admission.access(request(.get, "Bearer x"), far, now: now + .seconds(20))
            }
            #expect(refusal?.problem.kind == .tooMany && refusal?.wait == 41)
            let secret = try #require(secrets[.read])
            #expect(try await admission.access(request(.get, "Bearer \(secret)"), far, now: now).level == .read)
            await #expect(throws: Admission.Refusal.self) {
                try await admission.access(request(.get, "Bearer x"), near, now: now)
            }
            let later = await #expect(throws: Admission.Refusal.self) {
                try await admission.access(request(.get, "Bearer x"), far, now: now + .seconds(60))
            }
            #expect(later?.problem.kind == .unauthorized)
            let lines = log.lines.filter { $0.message == "a wrong token was refused" }
            #expect(lines.count == 2, "one a minute")
            #expect(!log.lines.contains { line in secrets.values.contains { "\(line)".contains($0) } })
        }
    }

    @Test("all addresses together have a hundred attempts a minute, and of IPv6 one network counts as one address")
    func limitOfAll() {
        var limit = AttemptLimit()
        let now = ContinuousClock.now
        for number in 0..<100 { #expect(limit.failed("10.0.0.\(number)", now: now).wait == nil) }
        #expect(limit.failed("10.0.1.1", now: now).wait == .seconds(60))
        #expect(limit.failed("10.0.1.1", now: now + .seconds(60)).wait == nil)
        let network = WebClient(address: "2001:db8:1:2:3:4:5:6").network
        #expect(WebClient(address: "2001:db8:1:2::1").network == network)
        #expect(WebClient(address: "2001:db8:1:3::1").network != network)
        #expect(WebClient(address: "::ffff:10.0.0.1").network != WebClient(address: "::ffff:10.0.0.2").network)
    }

    @Test(
        "the file is read again when it has changed, a broken line is told and ignored, and an open file gives nobody access"
    )
    func changes() async throws {
        try await withTokens { admission, secrets, file, log in
            let secret = try #require(secrets[.control])
            let ask = request(.get, "Bearer \(secret)")
            let (token, added) = AccessToken.make("later", .read, now: at(0))
            try file.add(token)
            #expect(try await admission.access(request(.get, "Bearer \(added)"), near).name == "later")
            let handle = try #require(FileHandle(forWritingAtPath: file.path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("nonsense\n".utf8))
            try handle.close()
            #expect(try await admission.access(ask, near).level == .control)
            #expect(log.lines.contains { $0.level == .error && "\($0)".contains("line 5") })
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            await #expect(throws: Admission.Refusal.self) { try await admission.access(ask, near) }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            #expect(try await admission.access(ask, near).level == .control)
            try FileManager.default.removeItem(atPath: file.path)
            await #expect(throws: Admission.Refusal.self) { try await admission.access(ask, near) }
        }
    }

    @Test("a daemon does not start with a token file that is open to others or broken")
    func start() throws {
        let directory = NSTemporaryDirectory() + "tminus-admission-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = "\(directory)/tokens"
        let logger = LogRecord().logger
        #expect(throws: Never.self) { try TokenDesk(path, allowsInsecurePermissions: false, logger: logger) }
        try Data("lobby read\n".utf8).write(to: URL(fileURLWithPath: path))
        for (mode, words) in [(0o644, "run 'chmod 600 "), (0o600, "tokens: line 1: expected")] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = #expect(throws: DaemonError.self) {
                try TokenDesk(path, allowsInsecurePermissions: false, logger: logger)
            }
            #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        }
    }
}
