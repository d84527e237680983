import Foundation
import Logging
import ServiceLifecycle
import Testing
import TminusControl
import TminusCore
import TminusTestKit
import TminusTooling

@testable import TminusDaemon

/// The door over TCP, with requests byte by byte.
@Suite("HTTP over TCP")
struct WebServerTests {
    private let harness: ControlHarness
    private let tokens: TokenFile
    /// The secrets of three tokens.
    private let secrets: [AccessLevel: String]

    init() throws {
        harness = try ControlHarness()
        harness.probes.readiness.serving()
        tokens = TokenFile(harness.directory + "/tokens")
        var secrets: [AccessLevel: String] = [:]
        for level in AccessLevel.granted {
            let (token, secret) = AccessToken.make("\(level)-token", level, now: at(0))
            try tokens.add(token)
            secrets[level] = secret
        }
        self.secrets = secrets
    }

    /// Runs the server on a port that the kernel chooses while `body` runs.
    private func run(
        hosts: [String] = [], rules: WebRules = WebRules(), maxConnections: Int = 1_024,
        headLimit: Duration = Bounded.limit, pauseLimit: Duration = Bounded.limit,
        _ body: @escaping @Sendable (Int, ControlAPI) async throws -> Void
    ) async throws {
        var options = WebOptions()
        options.addresses = [try #require(ListenAddress("127.0.0.1:0"))]
        options.hosts = try #require(HostNames(hosts))
        options.maxConnections = maxConnections
        let doors = WebDoors(maxConnections: maxConnections)
        let logger = harness.log.logger
        let desk = try TokenDesk(tokens.path, allowsInsecurePermissions: false, logger: logger)
        let api = harness.api(doors: doors, tokens: desk, rules: rules)
        await api.admission.sessions.load()
        // It runs with the control socket, which these tests do not have.
        let hub = Task { await api.hub.run() }
        defer { hub.cancel() }
        var server = WebServer(options: options, api: api, logger: logger)
        (server.headLimit, server.pauseLimit) = (headLimit, pauseLimit)
        let group = ServiceGroup(
            services: [server], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        let task = Task { try await group.run() }
        do {
            try await harness.log.wait(for: "HTTP open")
            let port = try #require(doors.addresses.first?.port)
            try await Bounded.value("the body of a test") { try await body(port, api) }
        } catch {
            task.cancel()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await Bounded.value("the end of the server") { try await task.value }
    }

    /// The whole answer to a request whose writing ends.
    private func answer(_ port: Int, _ request: String) async throws -> String {
        let socket = try RawSocket(port: port)
        try await socket.write(request)
        socket.endWriting()
        return try await socket.readToEnd()
    }

    private func get(_ port: Int, _ path: String, host: String = "localhost", method: String = "GET") async throws
        -> String
    {
        try await answer(port, "\(method) \(path) HTTP/1.1\r\nhost: \(host)\r\n\r\n")
    }

    @Test("a reader gets items without their paths, one by one and all of them")
    func readers() async throws {
        harness.desk.put([.idle("tea")])
        let secret = secrets[.control] ?? ""
        try await run { port, _ in
            for path in ["/items", "/items/tea", "/items/tea?details=true"] {
                let read = try await get(port, path)
                #expect(read.hasPrefix("HTTP/1.1 200 ") && read.contains(#""file":null"#), "\(path)")
                let fields = "host: localhost\r\nauthorization: Bearer \(secret)\r\n"
                let whole = try await answer(port, "GET \(path) HTTP/1.1\r\n\(fields)\r\n")
                #expect(whole.hasPrefix("HTTP/1.1 200 ") && whole.contains(#""file":""#), "\(path)")
            }
        }
    }

    @Test("the open routes answer with one line, no CORS header and nosniff; HEAD without the body")
    func open() async throws {
        try await run { port, _ in
            let ready = try await get(port, "/readyz")
            #expect(ready.hasPrefix("HTTP/1.1 200 ") && ready.hasSuffix("\r\n\r\nready\n"), "\(ready)")
            let fields = ready.lowercased()
            #expect(fields.contains("\r\nx-content-type-options: nosniff\r\n"))
            #expect(fields.contains("\r\ncontent-type: text/plain; charset=utf-8\r\n"))
            #expect(!fields.contains("access-control") && !fields.contains("\r\nserver:"))
            let head = try await get(port, "/readyz", method: "HEAD")
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"), "\(head)")
            #expect(head.lowercased().contains("\r\ncontent-length: 6\r\n"), "\(head)")
            harness.probes.stopping()
            let stopping = try await get(port, "/readyz")
            #expect(
                stopping.hasPrefix("HTTP/1.1 503 ") && stopping.hasSuffix("\r\n\r\nnot ready: stopping\n"),
                "\(stopping)")
            #expect(try await get(port, "/healthz").hasSuffix("\r\n\r\nok\n"))
        }
    }

    /// The head of the answer to a request, which may go on without an end.
    private func head(
        _ port: Int, _ method: String, _ path: String, _ fields: String = "", body: String = ""
    ) async throws -> String {
        let socket = try RawSocket(port: port)
        try await socket.write(
            "\(method) \(path) HTTP/1.1\r\nhost: localhost\r\ncontent-length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
        )
        return try await socket.read(until: "\r\n\r\n")
    }

    /// The status of the answer to each method of each route, except those that only the socket has.
    private func statuses(
        _ port: Int, _ api: ControlAPI, _ fields: String
    ) async throws -> [(route: ControlRoutes.Route, method: String, status: Int)] {
        try await withThrowingTaskGroup(of: (ControlRoutes.Route, String, Int).self) { group in
            for route in api.routes.beyondSocket.all {
                for method in route.names {
                    group.addTask {
                        let path = route.path.replacingOccurrences(of: ":id", with: "nothing")
                        let answer = try await head(port, method, path, fields)
                        return (route, method, Int(answer.dropFirst(9).prefix(3)) ?? 0)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(
        "each route with each method and each level: 401 for a stranger and 403 for a token below its level, else neither"
    )
    func levels() async throws {
        // The harness has no engine that answers pings.
        harness.probes.stopping()
        try await run(rules: WebRules(allowsEdit: true)) { port, api in
            for level in AccessLevel.granted {
                let fields = "authorization: Bearer \(secrets[level] ?? "")\r\n"
                for (route, method, status) in try await statuses(port, api, fields) {
                    let isRefused = status == 401 || status == 403
                    #expect(isRefused == (route.level > level), "\(level): \(method) \(route.path): \(status)")
                    #expect(status != 401 && status != 405, "\(level): \(method) \(route.path)")
                }
            }
            for (fields, level) in [("", AccessLevel.read), ("x-forwarded-for: 192.0.2.1\r\n", .open)] {
                for (route, method, status) in try await statuses(port, api, fields) {
                    #expect((status == 401) == (route.level > level), "\(level): \(method) \(route.path): \(status)")
                    #expect(status != 403 && status != 405, "\(level): \(method) \(route.path)")
                }
            }
            let paths = api.routes.beyondSocket.all.map { $0.path.replacing(#/:(\w+)/#) { "{\($0.output.1)}" } }
            #expect(Set(api.web.counts.answered.keys.map(\.route)) == Set(paths), "each is counted by its path")
            let fields = "authorization: Bearer \(secrets[.edit] ?? "")\r\n"
            for (method, path) in [("GET", "/none"), ("DELETE", "/status")] {
                _ = try await head(port, method, path, fields)
            }
            let others = api.web.counts.answered.keys.filter { $0.route == "other" }
            #expect(others.map(\.code).sorted() == [404, 405])
            for (_, _, status) in try await statuses(port, api, "authorization: Bearer x\r\n") {
                #expect(status == 401 || status == 429, "a wrong token is refused even where none is needed")
            }
            for route in api.routes.all where route.level == .socket {
                let answer = try await head(
                    port, route.names[0], route.path, "authorization: Bearer \(secrets[.edit] ?? "")\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(route.path): \(answer)")
            }
        }
    }

    @Test("a stranger is told to send a token by a field that makes no browser ask, and after ten wrong ones to wait")
    func challenge() async throws {
        try await run { port, api in
            let stranger = try await head(port, "POST", "/mute")
            #expect(
                stranger.hasPrefix("HTTP/1.1 401 ") && stranger.lowercased().contains("www-authenticate: bearer\r\n"))
            for _ in 0..<10 { _ = try await head(port, "GET", "/items", "authorization: Basic eDp5\r\n") }
            let limited = try await head(port, "GET", "/items", "authorization: Bearer y\r\n")
            #expect(
                limited.hasPrefix("HTTP/1.1 429 ") && limited.lowercased().contains("\r\nretry-after: "), "\(limited)")
            let right = "authorization: Bearer \(secrets[.read] ?? "")\r\n"
            #expect(try await head(port, "GET", "/items", right).hasPrefix("HTTP/1.1 200 "))
            let refusals = api.web.counts.refusals
            #expect(refusals[.token] == 11 && refusals[.rate] == 1 && refusals[.level] == nil)
        }
    }

    @Test(
        "a control by a token is recorded under its name, and 'then' needs level edit where that is allowed",
        arguments: [false, true])
    func names(allowsEdit: Bool) async throws {
        harness.desk.put([.idle("tea")])
        try await run(rules: WebRules(allowsEdit: allowsEdit)) { port, _ in
            func post(_ level: AccessLevel, _ path: String, _ body: String) async throws -> String {
                try await answer(
                    port,
                    "POST \(path) HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(secrets[level] ?? "")\r\n"
                        + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")
            }
            let control = try await post(.control, "/items/tea/start", "{}")
            #expect(control.hasPrefix("HTTP/1.1 200 "), "\(control)")
            #expect(harness.desk.requests.last?.by == "control-token")
            let body = #"{"name": "x", "duration": "5m", "then": "true"}"#
            let refused = try await post(.control, "/timers", body)
            #expect(refused.hasPrefix("HTTP/1.1 403 ") && refused.contains("'then', a command"), "\(refused)")
            let edit = try await post(.edit, "/timers", body)
            #expect(edit.hasPrefix(allowsEdit ? "HTTP/1.1 201 " : "HTTP/1.1 403 "), "\(edit)")
            #expect(edit.contains("--allow-edit") == !allowsEdit)
            let plain = try await post(.control, "/timers", #"{"name": "y", "duration": "5m"}"#)
            #expect(plain.hasPrefix("HTTP/1.1 201 "), "\(plain)")
        }
    }

    /// Signs in over TCP. Returns the head of the answer and the field with its cookie.
    private func signIn(_ port: Int, _ body: String) async throws -> (head: String, cookie: String) {
        let head = try await head(
            port, "POST", "/login", "origin: http://localhost\r\ncontent-type: application/json\r\n", body: body)
        let cookie = head.firstMatch(of: /(?i)set-cookie: (tminus=[a-z0-9]+);/).map { String($0.output.1) } ?? ""
        return (head, "cookie: \(cookie)\r\n")
    }

    @Test("a browser signs in by a token or a code, works from its own page, and signs out")
    func session() async throws {
        harness.desk.put([.idle("tea")])
        try await run { port, api in
            let own = "origin: http://localhost\r\n"
            let byToken = try await signIn(port, #"{"token": "\#(secrets[.control] ?? "")"}"#)
            #expect(byToken.head.hasPrefix("HTTP/1.1 200 "), "\(byToken.head)")
            #expect(byToken.head.lowercased().contains("; httponly; samesite=strict; path=/; max-age=34560000\r\n"))
            let started = try await head(port, "POST", "/items/tea/start", byToken.cookie + own)
            #expect(started.hasPrefix("HTTP/1.1 200 "), "\(started)")
            #expect(harness.desk.requests.last?.by == "control-token")
            for foreign in ["", "origin: http://localhost:8080\r\n", "origin: null\r\n"] {
                let refused = try await head(port, "POST", "/items/tea/pause", byToken.cookie + foreign)
                #expect(refused.hasPrefix("HTTP/1.1 403 "), "\(foreign): \(refused)")
            }
            let code = api.admission.sessions.makeCode(CodeBook.Grant(name: "ada", level: .read))
            let byCode = try await signIn(port, #"{"code": "\#(code)"}"#)
            #expect(byCode.head.hasPrefix("HTTP/1.1 200 "))
            let again = try await signIn(port, #"{"code": "\#(code)"}"#)
            #expect(again.head.hasPrefix("HTTP/1.1 401 ") && again.cookie == "cookie: \r\n", "\(again.head)")
            let reader = try await head(port, "POST", "/items/tea/pause", byCode.cookie + own)
            #expect(reader.hasPrefix("HTTP/1.1 403 "), "\(reader)")
            let out = try await head(port, "POST", "/logout", byToken.cookie + own)
            #expect(out.hasPrefix("HTTP/1.1 204 ") && out.lowercased().contains("set-cookie: tminus=;"), "\(out)")
            let after = try await head(port, "POST", "/items/tea/pause", byToken.cookie + own)
            #expect(after.hasPrefix("HTTP/1.1 401 "), "\(after)")
            #expect(harness.desk.requests.count == 1)
        }
    }

    @Test("a login needs exactly one of token and code as JSON, and wrong ones are limited as wrong tokens are")
    func logins() async throws {
        try await run { port, _ in
            for body in ["{}", #"{"token": "a", "code": "b"}"#, #"{"password": "a"}"#, "[]", "x"] {
                #expect(try await signIn(port, body).head.hasPrefix("HTTP/1.1 400 "), "\(body)")
            }
            let form = try await head(
                port, "POST", "/login", "content-type: application/x-www-form-urlencoded\r\n", body: "token=x")
            #expect(form.hasPrefix("HTTP/1.1 415 "), "\(form)")
            for _ in 0..<10 { #expect(try await signIn(port, #"{"code": "x"}"#).head.hasPrefix("HTTP/1.1 401 ")) }
            #expect(try await signIn(port, #"{"token": "x"}"#).head.hasPrefix("HTTP/1.1 429 "))
            let right = try await signIn(port, #"{"token": "\#(secrets[.read] ?? "")"}"#)
            #expect(right.head.hasPrefix("HTTP/1.1 200 "), "a right token always passes")
        }
    }

    @Test("when a token is removed its sessions are over, and what they and the token follow ends")
    func removed() async throws {
        try await run { port, api in
            let session = try await signIn(port, #"{"token": "\#(secrets[.read] ?? "")"}"#)
            let bearer = "authorization: Bearer \(secrets[.read] ?? "")\r\n"
            var followers: [RawSocket] = []
            for fields in [session.cookie, bearer] {
                let socket = try RawSocket(port: port)
                try await socket.write("GET /events HTTP/1.1\r\nhost: localhost\r\n\(fields)\r\n")
                #expect(try await socket.read(until: "event: snapshot").hasPrefix("HTTP/1.1 200 "))
                followers.append(socket)
            }
            let other = try RawSocket(port: port)
            try await other.write("GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n")
            _ = try await other.read(until: "event: snapshot")
            #expect(api.admission.signedIn.map(\.name) == ["read-token"])
            try tokens.remove("read-token")
            #expect(api.admission.signedIn.isEmpty)
            api.admission.closeUninvited()
            for socket in followers { _ = try await socket.readToEnd() }
            let far = "x-forwarded-for: 192.0.2.1\r\n"
            #expect(try await head(port, "GET", "/items", session.cookie + far).hasPrefix("HTTP/1.1 401 "))
            // Who needs no token stays.
            #expect(api.doors.connections >= 1)
            try await other.write("")
        }
    }

    @Test("the end of a session ends nothing of others, who come by the same connections of a proxy")
    func shared() async throws {
        try await run { port, api in
            let session = try await signIn(port, #"{"token": "\#(secrets[.read] ?? "")"}"#)
            let proxy = try RawSocket(port: port)
            try await proxy.write("GET /items HTTP/1.1\r\nhost: localhost\r\n\(session.cookie)\r\n")
            _ = try await proxy.read(until: "\r\n0\r\n\r\n")
            let bearer = "authorization: Bearer \(secrets[.control] ?? "")\r\n"
            try await proxy.write("GET /events HTTP/1.1\r\nhost: localhost\r\n\(bearer)\r\n")
            _ = try await proxy.read(until: "event: snapshot")
            try tokens.remove("read-token")
            api.admission.closeUninvited()
            harness.desk.put([.idle("tea")])
            _ = try await proxy.read(until: "tea")
        }
    }

    @Test("a session says what it may do, and never more than its token may now")
    func sessionLevel() async throws {
        try await run(rules: WebRules(allowsEdit: true)) { port, _ in
            let session = try await signIn(port, #"{"token": "\#(secrets[.edit] ?? "")"}"#)
            func said() async throws -> String {
                try await answer(
                    port, "GET /session HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\(session.cookie)\r\n")
            }
            let first = try await said()
            #expect(first.contains(#""editing":"allowed""#) && first.contains(#""level":"edit","name":"edit-token""#))
            let lower = try content(of: tokens.path).replacingOccurrences(
                of: "edit-token edit", with: "edit-token read")
            try Data(lower.utf8).write(to: URL(fileURLWithPath: tokens.path))
            #expect(try await said().contains(#""level":"read","name":"edit-token""#))
            let stranger = try await get(port, "/session")
            #expect(stranger.contains(#"{"editing":"allowed","level":"read"}"#), "\(stranger)")
        }
    }

    private func content(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    @Test("a body is not read below the level of its route")
    func unreadBody() async throws {
        try await run { port, _ in
            let socket = try RawSocket(port: port)
            try await socket.write(
                "POST /timers HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
            )
            #expect(try await socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test("the status of a reader names no path, no process and no reason")
    func readerStatus() async throws {
        try await run { port, _ in
            let answer = try await get(port, "/status")
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\"version\":\"test\""), "\(answer)")
            for secret in ["process-id", "/config", "memory", "\"config\"", "\"store\""] {
                #expect(!answer.contains(secret), "\(secret)")
            }
        }
    }

    @Test("a path that is no route is 404, and another method of a route 405 with those that it has")
    func others() async throws {
        try await run { port, _ in
            for path in ["/nowhere", "/readyz/x", "/items/tea/x/y", "/.env", "/wait"] {
                let answer = try await get(port, path)
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path): \(answer)")
            }
            for path in ["/../readyz", "//readyz", "/%72eadyz", "/%69tems/tea/start", "//items//tea//start"] {
                let answer = try await get(port, path, method: "POST")
                #expect(!answer.hasPrefix("HTTP/1.1 2"), "\(path): \(answer)")
            }
            #expect(try await get(port, "/readyz", method: "POST").hasPrefix("HTTP/1.1 405 "))
            let answer = try await get(port, "/items/tea", method: "PUT")
            #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("Allow: DELETE, GET\r\n"), "\(answer)")
            #expect(harness.desk.requests.isEmpty)
        }
    }

    @Test("a request for another name is refused before any route, with the way out; so it is under DNS rebinding")
    func host() async throws {
        try await run(hosts: ["timers.example.org"]) { port, _ in
            let refused = try await get(port, "/readyz", host: "evil.example:\(port)")
            #expect(refused.hasPrefix("HTTP/1.1 421 "), "\(refused)")
            #expect(refused.contains("the name 'evil.example' is not known here: start with --host evil.example"))
            #expect(try await get(port, "/nowhere", host: "evil.example").hasPrefix("HTTP/1.1 421 "))
            for host in ["127.0.0.1:\(port)", "[::1]", "localhost", "a.localhost", "timers.example.org:1"] {
                #expect(try await get(port, "/readyz", host: host).hasPrefix("HTTP/1.1 200 "), "\(host)")
            }
        }
    }

    @Test(
        "a request that names no host or two hosts, or has two lengths, is refused with 400",
        arguments: [
            "GET /readyz HTTP/1.1\r\n\r\n", "GET /readyz HTTP/1.0\r\n\r\n", "GET /readyz HTTP/1.1\r\nhost:\r\n\r\n",
            "GET /readyz HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n",
            "GET /readyz HTTP/1.1\r\nhost: evil.example\r\nhost: localhost\r\n\r\n",
            "GET /readyz HTTP/1.1\r\nhost: evil example\r\n\r\n",
            // Two lengths, of which a proxy may take the other one.
            "POST /logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n12345",
        ])
    func noHost(request: String) async throws {
        try await run { port, _ in
            let answer = try await answer(port, request)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        }
    }

    @Test("a request of another site is refused before any route and any answer that it could read")
    func otherSites() async throws {
        harness.desk.put([.idle("tea")])
        try await run { port, api in
            let refused = try await head(port, "POST", "/items/tea/start", "origin: http://evil.example\r\n")
            #expect(refused.hasPrefix("HTTP/1.1 403 "), "\(refused)")
            let read = try await head(
                port, "GET", "/items", "sec-fetch-site: cross-site\r\nsec-fetch-dest: script\r\n")
            #expect(read.hasPrefix("HTTP/1.1 403 "), "\(read)")
            // No preflight is answered, and nothing allows another origin to read.
            let preflight = try await head(
                port, "OPTIONS", "/items", "origin: http://evil.example\r\naccess-control-request-method: PUT\r\n")
            #expect(preflight.hasPrefix("HTTP/1.1 403 "), "\(preflight)")
            for answer in [refused, read, preflight] { #expect(!answer.lowercased().contains("access-control-allow")) }
            #expect(try await head(port, "GET", "/items", "origin: http://localhost\r\n").hasPrefix("HTTP/1.1 200 "))
            #expect(api.web.counts.refusals[.origin] == 3)
            #expect(harness.desk.requests.isEmpty)
        }
    }

    @Test("every answer has the header fields that keep pages of others out, and none that lets them in")
    func headerFields() async throws {
        try await run { port, _ in
            for (path, fields) in [
                ("/healthz", ""), ("/items", ""), ("/nowhere", ""), ("/items", "x-forwarded-for: 1.1.1.1\r\n"),
                ("/metrics", "origin: null\r\n"), ("/items?from=x", ""),
            ] {
                let answer = try await head(port, "GET", path, fields).lowercased()
                for field in [
                    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                        + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
                        + "require-trusted-types-for 'script'; trusted-types 'none'",
                    "x-content-type-options: nosniff", "cross-origin-resource-policy: same-origin",
                    "cross-origin-opener-policy: same-origin", "referrer-policy: same-origin",
                    "cache-control: no-store",
                ] {
                    #expect(answer.contains("\r\n\(field)\r\n"), "\(path): \(field): \(answer)")
                }
                #expect(!answer.contains("access-control"))
            }
        }
    }

    @Test("16 KiB and 100 header fields are the limits")
    func headers() async throws {
        try await run { port, _ in
            let start = "GET /readyz HTTP/1.1\r\nhost: localhost\r\n"
            let fits = (0..<90).map { "x-\($0): y\r\n" }.joined()
            #expect(try await answer(port, start + fits + "\r\n").hasPrefix("HTTP/1.1 200 "))
            let many = (0..<101).map { "x-\($0): y\r\n" }.joined()
            #expect(try await answer(port, start + many + "\r\n").hasPrefix("HTTP/1.1 400 "))
            let large = "x: \(String(repeating: "y", count: 17_000))\r\n"
            #expect(try await answer(port, start + large + "\r\n").hasPrefix("HTTP/1.1 400 "))
            // An end of the headers that never comes does not make it wait.
            let socket = try RawSocket(port: port)
            try await socket.write(start + large)
            #expect(try await socket.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(
        "no damaged request is answered with a server error, or reaches a control, and the server goes on",
        arguments: 0..<2)
    func damaged(part: Int) async throws {
        let mutator = ByteMutator(Self.requests.map { Array($0.utf8) }, words: Self.words)
        try await run { port, _ in
            for seed in (0..<200).filter({ $0 % 2 == part }) {
                let socket = try RawSocket(port: port)
                let bytes = mutator.mutant(seed: UInt64(seed)).bytes
                // A server that has refused the beginning does not read the rest.
                try? await socket.write(bytes)
                socket.endWriting()
                let answer = (try? await socket.readToEnd()) ?? ""
                #expect(!answer.contains("HTTP/1.1 5"), "seed \(seed): \(answer.prefix(500))")
            }
            #expect(try await get(port, "/readyz").hasPrefix("HTTP/1.1 200 "))
            #expect(harness.desk.requests.isEmpty)
            #expect(harness.log.lines.filter { $0.level >= .error } == [])
        }
    }

    private static let requests = [
        "GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n", "HEAD /readyz HTTP/1.1\r\nhost: [::1]:80\r\n\r\n",
        "GET /readyz HTTP/1.1\r\nhost: a.localhost\r\n\r\nGET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "POST /items/tea/start HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}",
        "GET /metrics/definitions?limit=5&label=a:b HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/plain;q=0.5\r\n\r\n",
        "POST /readyz HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ]

    private static let words = [
        "\r\n", "\r\n\r\n", "host: evil.example\r\n", "host: [\r\n", "host: :\r\n", "content-length: 99\r\n", "/items",
        "..",
        "%00", "&limit=-1", "label=:", "q=1e999", "HTTP/1.0", ";;,", "\u{0}", "HEAD ", "?",
        "transfer-encoding: chunked\r\n",
    ]

    @Test("headers that take too long end the connection with 408")
    func slowHeaders() async throws {
        // Long enough for the write: after the end of the connection it would discard the answer.
        try await run(headLimit: .milliseconds(500)) { port, _ in
            let socket = try RawSocket(port: port)
            try await socket.write("GET /readyz HTTP/1.1\r\nhost: loc")
            let answer = try await socket.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            let silent = try RawSocket(port: port)
            #expect(try await silent.readToEnd().hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test("after an answer a connection ends unless the headers of the next request come in time")
    func slowSecondHeaders() async throws {
        try await run(pauseLimit: .milliseconds(200)) { port, _ in
            var answer = ""
            while !answer.contains("ready\n") {
                let socket = try RawSocket(port: port)
                // Where the machine is busy, the connection may end before the request is there.
                try? await socket.write("GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\nGET /re")
                answer = (try? await socket.readToEnd()) ?? ""
            }
            // It ends with 408, or without a second answer: two limits end at the same time.
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && !answer.dropFirst().contains("HTTP/1.1 2"), "\(answer)")
        }
    }

    /// Opens a connection and writes `request`, again until its answer has `mark`: where the machine is busy, a short limit may
    /// pass before the request is there.
    private func asked(_ port: Int, _ request: String, until mark: String) async throws -> RawSocket {
        while true {
            let socket = try RawSocket(port: port)
            guard (try? await socket.write(request)) != nil else { continue }
            if (try? await socket.read(until: mark))?.contains(mark) == true { return socket }
        }
    }

    @Test("after an answer the limit of the first headers counts no more")
    func answeredInTime() async throws {
        try await run(headLimit: .milliseconds(500)) { port, _ in
            let request = "GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n"
            let socket = try await asked(port, request, until: "ready\n")
            // It is ended by that limit, later than the other one would be.
            let silent = try RawSocket(port: port)
            #expect(try await silent.readToEnd().hasPrefix("HTTP/1.1 408 "))
            try await socket.write(request)
            #expect(try await socket.read(until: "ready\n").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("no limit counts while the last of several requests that came at once is answered")
    func pipelined() async throws {
        try await run(pauseLimit: .milliseconds(200)) { port, _ in
            let requests = ["/readyz", "/events"].map { "GET \($0) HTTP/1.1\r\nhost: localhost\r\n\r\n" }
            let follower = try await asked(port, requests.joined(), until: "event: snapshot")
            // It is ended by that limit, later than the follower would be.
            let silent = try await asked(port, requests[0], until: "ready\n")
            _ = try await silent.readToEnd()
            harness.desk.put([ScheduleEntry.idle("tea")])
            #expect(try await follower.read(until: "\"tea\"").contains("\"tea\""))
        }
    }

    @Test("a connection beyond the limit is closed, and there is room again when one has left")
    func tooMany() async throws {
        try await run(maxConnections: 2) { port, api in
            let request = "GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n"
            func isAnswered(_ socket: RawSocket) async -> Bool {
                guard (try? await socket.write(request)) != nil else { return false }
                return (try? await socket.read(until: "ready\n"))?.hasPrefix("HTTP/1.1 200 ") == true
            }
            let first = try RawSocket(port: port)
            #expect(await isAnswered(first))
            do {
                let second = try RawSocket(port: port)
                #expect(await isAnswered(second))
                #expect(api.doors.connections == 2)
                #expect(await !isAnswered(try RawSocket(port: port)))
                #expect(await isAnswered(first), "those that are open stay so")
                #expect(await isAnswered(second))
            }
            // The server learns by and by that the second one has left.
            while await !isAnswered(try RawSocket(port: port)) {}
            #expect(await isAnswered(first))
        }
    }

    @Test("one in ten connections stays free of those who follow the changes")
    func followers() async throws {
        try await run(maxConnections: 3) { port, _ in
            let follow = "GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n"
            var followers: [RawSocket] = []
            for _ in 0..<2 {
                let socket = try RawSocket(port: port)
                try await socket.write(follow)
                #expect(try await socket.read(until: "event: snapshot").hasPrefix("HTTP/1.1 200 "))
                followers.append(socket)
            }
            let third = try RawSocket(port: port)
            try await third.write(follow)
            #expect(try await third.read(until: "try again later").hasPrefix("HTTP/1.1 503 "))
            try await third.write("GET /items HTTP/1.1\r\nhost: localhost\r\n\r\n")
            #expect(try await third.read(until: "[]").hasPrefix("HTTP/1.1 200 "))
            #expect(followers.count == 2)
        }
    }
}
