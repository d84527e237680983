import Foundation
import Glibc
import Testing

/// HTTP/2 at a door with TLS: by curl, and frame by frame by `Tests/Checks/frames.py`.
@Suite("HTTP/2")
struct HTTP2Tests {
    private let scratch: Scratch
    private var certificate: String { "\(scratch.path)/cert.pem" }

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
    }

    /// Runs a daemon with TLS while `body` runs.
    private func run(_ options: [String] = [], _ body: (RunningDaemon, Int) async throws -> Void) async throws {
        let key = "\(scratch.path)/key.pem"
        try await Certificate.make(certificate, key)
        let daemon = try RunningDaemon(
            in: scratch, RunningDaemon.listening + ["--tls-cert", certificate, "--tls-key", key] + options)
        try await daemon.ready()
        try await body(daemon, try await daemon.port())
        #expect(try await daemon.stop() == 0)
    }

    private func token(_ name: String, _ level: String) async throws -> String {
        let program = try Program(
            Program.tminus, ["token", "add", name, "--level", level, "--state", scratch.state])
        #expect(try await program.end() == 0)
        return try #require(program.output.texts.first)
    }

    /// What curl writes: the body, and a line with the version, the status and the number of connections it made.
    private func curl(_ port: Int, _ path: String, _ options: String...) async throws -> [String] {
        let program = try Program(
            "curl",
            ["-sS", "--cacert", certificate, "-w", #"\n%{http_version} %{http_code} %{num_connects}\n"#] + options
                + ["https://127.0.0.1:\(port)\(path)"])
        #expect(try await program.end() == 0, "\(path): \(program.errors.texts)")
        return program.output.texts
    }

    /// A client in Python, which has `frames` of Tests/Checks and a function `say`.
    private func client(_ port: Int, _ script: String, _ arguments: String...) throws -> Program {
        let start = """
            import frames, sys, time
            port, *arguments = sys.argv[1:]
            def say(*words): print(*words, flush=True)

            """
        var environment = Program.environment
        environment["PYTHONPATH"] = "\(Program.repository)/Tests/Checks"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return try Program("python3", ["-c", start + script, String(port)] + arguments, environment: environment)
    }

    /// The lines of a client that has ended.
    private func lines(_ port: Int, _ script: String) async throws -> [String] {
        let client = try client(port, script)
        #expect(try await client.end() == 0, "\(client.errors.texts)")
        return client.output.texts
    }

    @Test("the same routes and the same guard answer by HTTP/2 and by HTTP/1.1, as the client prefers")
    func requests() async throws {
        try await run { _, port in
            let bearer = "Authorization: Bearer \(try await token("phone", "control"))"
            let json = "Content-Type: application/json"
            #expect(try await curl(port, "/readyz") == ["ready", "", "2 200 1"])
            #expect(try await curl(port, "/readyz", "--http1.1").last == "1.1 200 1")
            #expect(try await curl(port, "/readyz", "--no-alpn").last == "1.1 200 1")
            #expect(try await curl(port, "/readyz", "-I").contains { $0.hasPrefix("content-security-policy: ") })
            #expect(try await curl(port, "/items/tea/start", "-X", "POST").last == "2 401 1")
            let started = try await curl(port, "/items/tea/start", "-H", bearer, "-H", json, "-d", "{}")
            #expect(started.last == "2 200 1" && started.joined().contains("running"), "\(started)")
            let misdirected = try await curl(port, "/readyz", "-H", "Host: evil.example")
            #expect(misdirected.last == "2 421 1" && misdirected[0].contains("start with --host evil.example"))
            let foreign = try await curl(port, "/items/tea/stop", "-X", "POST", "-H", bearer, "-H", "Origin: https://x")
            #expect(foreign.last == "2 403 1")
            #expect(try await curl(port, "/items?limit=x").last == "2 400 1")
            let many = try await curl(port, "/readyz?[1-20]")
            #expect(many.filter { $0 == "2 200 0" }.count == 19, "all go by one connection: \(many)")
        }
    }

    @Test("a body is read up to its limit, with and without its length, and not where nobody asked for it")
    func bodies() async throws {
        try await run { _, port in
            let bearer = "Authorization: Bearer \(try await token("phone", "control"))"
            let json = "Content-Type: application/json"
            let file = "\(scratch.path)/body"
            func send(_ body: String, to path: String, _ fields: String...) async throws -> String? {
                try Data(body.utf8).write(to: URL(fileURLWithPath: file))
                let words = fields.flatMap { ["-H", $0] }
                let program = try Program(
                    "curl",
                    ["-sS", "--cacert", certificate, "-o", "/dev/null", "-w", "%{http_version} %{http_code}\n"]
                        + ["-X", "POST", "-T", file, "-H", "Expect:", "-H", bearer] + words
                        + ["https://127.0.0.1:\(port)\(path)"])
                #expect(try await program.end() == 0, "\(path): \(program.errors.texts)")
                return program.output.texts.last
            }
            let timer = #"{"name": "egg", "duration": "5m"}"#
            #expect(try await send(timer, to: "/timers", json) == "2 201")
            let another = #"{"name": "toast", "duration": "5m"}"#
            #expect(try await send(another, to: "/timers", json, "Transfer-Encoding: chunked") == "2 201")
            #expect(try await send(timer, to: "/timers", "Transfer-Encoding: chunked") == "2 415")
            let large = String(repeating: " ", count: 5 << 20)
            #expect(try await send(large, to: "/timers", json) == "2 413")
            #expect(try await send(large, to: "/timers", json, "Transfer-Encoding: chunked") == "2 413")
            #expect(try await send(large, to: "/nowhere", json) == "2 404")
        }
    }

    @Test("a body that is cut off does not count as a whole one, and the daemon logs no error")
    func cutOff() async throws {
        try await run { daemon, port in
            let secret = try await token("phone", "control")
            let client = try client(
                port,
                """
                fields = {"authorization": "Bearer " + arguments[0], "content-type": "application/json"}
                head = frames.frame(frames.HEADERS, frames.END_HEADERS, 1, frames.head("POST", "/timers", fields))
                body = frames.frame(frames.DATA, 0, 1, b'{"name": "cut", "duration": "5m"}')
                for last in (b"", frames.reset(1)):
                    with frames.Client(int(port), 600) as client:
                        client.send(head, body, last, frames.frame(frames.PING, payload=bytes(8)))
                        next(frame for frame in client.frames() if frame[0] == frames.PING)
                with frames.Client(int(port), 600) as client:
                    client.send(frames.request(1, "GET", "/items"))
                    say(b'"cut"' in client.answers([1])[1][1])
                """, secret)
            #expect(try await client.end() == 0 && client.output.texts == ["False"], "\(client.errors.texts)")
            // Both connections are over.
            try await figures(port) { $0.contains(#"tminus_http_connections{door="tcp"} 1"#) }
            #expect(try await !curl(port, "/items").joined().contains(#""cut""#))
            #expect(daemon.errors.texts.filter { $0.contains(" error: ") } == [])
        }
    }

    @Test("a door without TLS speaks HTTP/1.1 alone")
    func plain() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        try await daemon.ready()
        let port = try await daemon.port()
        let options = ["-sS", "-o", "/dev/null", "-w", "%{http_version} %{http_code}\n"]
        let asked = try Program("curl", options + ["--http2", "http://127.0.0.1:\(port)/readyz"])
        #expect(try await asked.end() == 0 && asked.output.texts == ["1.1 200"])
        let known = try Program("curl", options + ["--http2-prior-knowledge", "http://127.0.0.1:\(port)/readyz"])
        #expect(try await known.end() != 0)
        try await daemon.stop()
    }

    @Test("twenty viewers follow the changes on one connection, and count as viewers")
    func viewers() async throws {
        try await run { _, port in
            let viewers = try Program(
                "curl",
                ["-sSN", "-Z", "--parallel-max", "20", "--cacert", certificate]
                    + ["https://127.0.0.1:\(port)/events?viewer=[1-20]"])
            try await viewers.output.lines(20, "snapshots") { $0.contains("event: snapshot") }
            // Their connection, and that of this question.
            for figure in [#"tminus_viewers{door="tcp"} 20"#, #"tminus_http_connections{door="tcp"} 2"#] {
                try await figures(port) { $0.contains(figure) }
            }
            try scratch.save("b.yaml", "timers: { eggs: { duration: 6m, start: manual } }\n")
            try await viewers.output.lines(20, "changes") { $0.contains(#""id":"eggs""#) }
            viewers.send(SIGKILL)
            try await viewers.end()
            // Nothing changes, and they have left all the same.
            for figure in [#"tminus_viewers{door="tcp"} 0"#, #"tminus_http_connections{door="tcp"} 1"#] {
                try await figures(port) { $0.contains(figure) }
            }
        }
    }

    /// Waits until the metrics are as wanted.
    private func figures(_ port: Int, until isWanted: ([String]) -> Bool) async throws {
        let deadline = ContinuousClock.now + Waiting.limit
        while true {
            let figures = try await curl(port, "/metrics")
            if isWanted(figures) { return }
            guard ContinuousClock.now < deadline else { throw Waiting.Vain(what: "metrics", seen: figures) }
            // Nobody tells of a change: a probe asks again.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test("when a token is removed its streams end, and those of others on the same connection go on")
    func removed() async throws {
        try await run { _, port in
            let secrets = [try await token("lobby", "read"), try await token("kitchen", "read")]
            let client = try client(
                port,
                """
                with frames.Client(int(port), 600) as client:
                    fields = [{"authorization": "Bearer " + secret} for secret in arguments] + [{}]
                    for stream, these in zip((1, 3, 5), fields):
                        client.send(frames.request(stream, "GET", "/events", these))
                    for kind, flags, stream, payload in client.frames():
                        if kind == frames.RST_STREAM: say("reset", stream)
                        if kind == frames.DATA and b"event: snapshot" in payload: say("follows", stream)
                        if kind == frames.DATA and b'"eggs"' in payload: say("told", stream)
                        if kind == frames.HEADERS and stream == 7: say("status", frames.status(payload))
                        if kind == frames.RST_STREAM: client.send(frames.request(7, "GET", "/items", fields[1]))
                """, secrets[0], secrets[1])
            try await client.output.lines(3, "viewers") { $0.hasPrefix("follows ") }
            let tool = try Program(Program.tminus, ["token", "remove", "lobby", "--state", scratch.state])
            #expect(try await tool.end() == 0)
            // The daemon looks when it is awake.
            try scratch.save("b.yaml", "timers: { rice: { duration: 6m, start: manual } }\n")
            try await client.output.first("the end of a stream") { $0 == "reset 1" }
            try await client.output.first("an answer on the same connection") { $0 == "status 200" }
            try scratch.save("c.yaml", "timers: { eggs: { duration: 6m, start: manual } }\n")
            try await client.output.lines(2, "changes") { $0.hasPrefix("told ") }
            #expect(Set(client.output.texts.filter { $0.hasPrefix("told ") }) == ["told 3", "told 5"])
        }
    }

    @Test("a stream that is never read ends after 30 s, and its connection goes on")
    func unread() async throws {
        try await run { _, port in
            let seen = try await lines(
                port,
                """
                with frames.Client(int(port), 600, {frames.WINDOW_SIZE: 0}) as client:
                    begun = time.monotonic()
                    # The second one has room, the first one has none.
                    client.send(frames.request(1, "GET", "/openapi.json"), frames.request(3, "GET", "/openapi.json"))
                    client.send(frames.window(3, 1 << 20), frames.window(0, 1 << 20))
                    first = client.answers([3])[3]
                    say(first[0], len(first[1]) > 65_536)
                    say(client.answers([1])[1], time.monotonic() - begun > 20)
                    client.send(frames.request(5, "GET", "/openapi.json"), frames.window(5, 1 << 20))
                    say(client.answers([5])[5][0])
                """)
            #expect(seen == ["200 True", "[-8, b''] True", "200"])
        }
    }

    @Test("a connection may have 100 streams, and all of them together as many as --max-connections")
    func streams() async throws {
        let start = """
            login = frames.head("POST", "/login", {"content-type": "application/json"})
            begin = lambda stream: frames.frame(frames.HEADERS, frames.END_HEADERS, stream, login)

            """
        try await run { _, port in
            let seen = try await lines(
                port,
                start + """
                    with frames.Client(int(port), 600) as client:
                        client.send(frames.request(1, "GET", "/readyz"))
                        say(next(payload.hex() for kind, *_, payload in client.frames() if kind == frames.SETTINGS))
                        # By the answer to this one it has seen that its settings are known.
                        client.send(frames.request(3, "GET", "/readyz"))
                        client.answers([3])
                        client.send(*(begin(stream) for stream in range(5, 207, 2)))
                        say(*(payload[7] for kind, *_, payload in client.frames() if kind == frames.GOAWAY))
                    """)
            #expect(seen == ["000300000064" + "000600004000", "1"])
        }
        try await run(["--max-connections", "30"]) { _, port in
            let seen = try await lines(
                port,
                start + """
                    with frames.Client(int(port), 600) as client:
                        streams = range(1, 301, 2)
                        client.send(*(begin(stream) for stream in streams))
                        found = [status for status, _ in client.answers(streams).values()]
                        say(found.count(-frames.REFUSED_STREAM), found.count(408))
                    with frames.Client(int(port), 600) as client:
                        client.send(*(frames.request(stream, "GET", "/events") for stream in range(1, 60, 2)))
                        found, further = [], iter(range(61, 10_000, 2))
                        for kind, *_, payload in client.frames():
                            if kind == frames.HEADERS: found.append(frames.status(payload))
                            # The streams of the client before may still be there.
                            if kind == frames.RST_STREAM: client.send(frames.request(next(further), "GET", "/events"))
                            if len(found) == 30: break
                        say(found.count(200), found.count(503))
                    """)
            #expect(seen == ["120 30", "27 3"])
        }
    }

    @Test("headers have at most 16 KiB in 100 fields, and a field of HTTP/1.1 alone ends its stream")
    func headers() async throws {
        try await run { _, port in
            let seen = try await lines(
                port,
                """
                with frames.Client(int(port), 600) as client:
                    fields = {
                        1: {f"x-{number}": "y" for number in range(90)}, 3: {f"x-{number}": "y" for number in range(101)},
                        5: {"connection": "close"}, 7: {"host": "evil.example"}, 9: {"x": "y" * 8_000},
                    }
                    client.send(*(frames.request(stream, "GET", "/readyz", these) for stream, these in fields.items()))
                    say(*(status for status, _ in client.answers(fields).values()))
                    client.send(frames.request(11, "GET", "/readyz", {"x": "y" * 15_000, "z": "y" * 1_200}))
                    say(*(int.from_bytes(payload[4:8], "big") for kind, *_, payload in client.frames()
                          if kind == frames.GOAWAY))
                """)
            #expect(seen[0] == "200 -11 -1 400 200")
            #expect(seen[1] != "0", "\(seen)")
        }
    }

    @Test("the stop of the daemon ends the streams, says that it goes, and waits for nobody")
    func stop() async throws {
        try await run { daemon, port in
            let client = try client(
                port,
                """
                with frames.Client(int(port), 600) as busy, frames.Client(int(port), 600) as idle:
                    idle.send(frames.request(1, "GET", "/readyz"))
                    idle.answers([1])
                    busy.send(frames.request(1, "GET", "/events"))
                    for client in (busy, idle):
                        for kind, flags, stream, payload in client.frames():
                            if kind == frames.DATA and b"event: snapshot" in payload: say("follows")
                            if kind == frames.DATA and flags & frames.END_STREAM: say("end of", stream)
                            if kind == frames.GOAWAY: say("away", *payload[:4], *payload[4:8])
                        say("closed")
                """)
            try await client.output.first("a viewer") { $0 == "follows" }
            daemon.program.send(SIGTERM)
            #expect(try await client.end() == 0, "\(client.errors.texts)")
            let seen = client.output.texts
            #expect(seen.contains("end of 1") && seen.filter { $0 == "closed" }.count == 2, "\(seen)")
            #expect(Set(seen.filter { $0.hasPrefix("away") }) == ["away 0 0 0 1 0 0 0 0"], "\(seen)")
        }
    }
}
