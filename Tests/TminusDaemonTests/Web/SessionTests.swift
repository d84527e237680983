import HTTPTypes
import Logging
import Testing
import TminusControl
import TminusCore
import TminusTestKit
import TminusTooling

@testable import TminusDaemon

@Suite("Sessions")
struct SessionTests {
    private let clock = ManualClock(now: at(0))
    private let store = TroubledStore()
    private let log = LogRecord()

    private func desk() -> SessionDesk { SessionDesk(store: store, clock: clock, logger: log.logger) }

    @Test("a code is good once, for a minute, and only the last hundred wait")
    func codes() {
        var book = CodeBook()
        let now = ContinuousClock.now
        let grant = CodeBook.Grant(name: "ada", level: .control)
        let code = book.make(grant, now: now)
        #expect(code.utf8.count == 32)
        #expect(book.redeem("x", now: now) == nil)
        #expect(book.redeem(code, now: now + .seconds(59)) == grant)
        #expect(book.redeem(code, now: now) == nil, "no second time")
        let late = book.make(grant, now: now)
        #expect(book.redeem(late, now: now + .seconds(60)) == nil)
        let codes = (0..<101).map { _ in book.make(grant, now: now) }
        #expect(book.redeem(codes[0], now: now) == nil)
        #expect(book.redeem(codes[1], now: now) == grant)
    }

    @Test("the cookie is for this host and its own pages alone, and as safe as the connection allows")
    func cookie() {
        let plain = SessionCookie(isEncrypted: false)
        #expect(plain.setting("abc") == "tminus=abc; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000")
        #expect(plain.clearing == "tminus=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0")
        let secure = SessionCookie(isEncrypted: true)
        #expect(secure.setting("a") == "__Host-tminus=a; HttpOnly; SameSite=Strict; Path=/; Secure; Max-Age=34560000")
        let below = SessionCookie(isEncrypted: true, prefix: "/tools/tminus")
        #expect(
            below.setting("a").hasPrefix("__Secure-tminus=a; HttpOnly; SameSite=Strict; Path=/tools/tminus; Secure;"))
        var request = HTTPRequest(method: .get, scheme: nil, authority: "localhost", path: "/")
        for (field, secret) in [
            ("tminus=abc", "abc"), ("a=b; tminus=abc; c=d", "abc"), ("xtminus=abc", nil), ("tminus", nil),
            ("__Host-tminus=abc", nil), ("tminus=", nil), ("", nil), ("tminus=a=b", "a=b"),
        ] as [(String, String?)] {
            request.headerFields[.cookie] = field
            #expect(plain.secret(in: request) == secret, "\(field)")
        }
    }

    @Test("the store has no secret, and a restart signs nobody out")
    func restart() async throws {
        let first = desk()
        let (session, secret) = try await first.signIn("lobby", .read, token: "t", from: "::1")
        #expect(secret.utf8.count * 5 >= 256)
        let stored = try await store.sessions()
        #expect(stored == [session] && session.digest == RandomSecret.digest(of: secret))
        let second = desk()
        await second.load()
        #expect(await second.session(withSecret: secret) == session)
        #expect(await second.session(withSecret: session.digest) == nil, "what is stored signs nobody in")
        try await second.end([session.digest])
        #expect(await second.session(withSecret: secret) == nil)
        let third = desk()
        await third.load()
        #expect(third.all.isEmpty)
    }

    @Test("a read session lasts 400 days, any other 12 hours after its last use, also over a restart")
    func ends() async throws {
        let first = desk()
        let wall = try await first.signIn("wall", .read, token: nil, from: "::1").secret
        let phone = try await first.signIn("phone", .control, token: nil, from: "::1").secret
        let day = 86_400.0
        clock.set(to: at(11 * 3_600))
        #expect(await first.session(withSecret: phone) != nil)
        clock.set(to: at(22 * 3_600))
        let second = desk()
        await second.load()
        #expect(await second.session(withSecret: phone) != nil, "its use was stored")
        clock.set(to: at(day * 2))
        #expect(await second.session(withSecret: phone) == nil)
        #expect(await second.session(withSecret: wall) != nil)
        clock.set(to: at(400 * day))
        #expect(await second.session(withSecret: wall) == nil)
        let third = desk()
        await third.load()
        #expect(try await store.sessions().isEmpty, "what is over leaves the store at a start")
    }

    @Test("a use is written to the store at most every ten minutes")
    func precision() async throws {
        let desk = desk()
        let secret = try await desk.signIn("phone", .control, token: nil, from: "::1").secret
        let calls = store.calls(.sessions)
        for second in 1...20 {
            clock.set(to: at(Double(second) * 60))
            _ = await desk.session(withSecret: secret)
        }
        #expect(store.calls(.sessions) == calls + 2)
    }

    @Test("a store that cannot be written refuses to sign in, and one that cannot be read stops nothing else")
    func trouble() async throws {
        store.refuse(.sessions)
        let desk = desk()
        await desk.load()
        #expect(log.count(.error) == 1)
        await #expect(throws: StoreError.self) { try await desk.signIn("a", .read, token: nil, from: "::1") }
        #expect(desk.all.isEmpty)
    }

    @Test("beyond a thousand sessions the one that was used least recently ends")
    func most() async throws {
        let desk = desk()
        let first = try await desk.signIn("a", .read, token: nil, from: "::1").secret
        clock.set(to: at(1))
        for number in 0..<1_000 { _ = try await desk.signIn("b\(number / 50)", .read, token: nil, from: "::1") }
        #expect(desk.all.count == 1_000)
        #expect(await desk.session(withSecret: first) == nil)
        #expect(try await store.sessions().count == 1_000)
    }

    @Test("beyond fifty sessions of one token its own ends, and nobody else is signed out")
    func mostOfOne() async throws {
        let desk = desk()
        let other = try await desk.signIn("a", .edit, token: nil, from: "::1").secret
        let first = try await desk.signIn("b", .read, token: "t", from: "::1").secret
        clock.set(to: at(1))
        for _ in 0..<50 { _ = try await desk.signIn("b", .read, token: "t", from: "::1") }
        #expect(desk.all.count == 51)
        #expect(await desk.session(withSecret: first) == nil)
        #expect(await desk.session(withSecret: other) != nil)
        #expect(try await store.sessions().count == 51)
    }
}
