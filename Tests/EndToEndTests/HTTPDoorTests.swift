import Foundation
import Glibc
import Testing

/// HTTP over TCP, as `tminus run --listen` serves it.
@Suite("HTTP door")
struct HTTPDoorTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
    }

    private func tminus(_ arguments: String...) async throws -> Program {
        let program = try Program(Program.tminus, arguments + ["--state", scratch.state])
        try await program.end()
        return program
    }

    /// The sockets of a process that listen on a port.
    private func listening(_ process: pid_t) throws -> Set<String> {
        let files = FileManager.default
        var inodes: Set<String> = []
        for name in try files.contentsOfDirectory(atPath: "/proc/\(process)/fd") {
            let link = (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(name)")) ?? ""
            if let inode = link.firstMatch(of: /socket:\[(\d+)\]/) { inodes.insert(String(inode.output.1)) }
        }
        var found: Set<String> = []
        // The kernel writes the table in parts, and an entry can be missed when others come and go between them.
        for table in ["tcp", "tcp6", "tcp", "tcp6", "tcp", "tcp6"] {
            guard let text = files.contents(atPath: "/proc/\(process)/net/\(table)") else { continue }
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                // 0A: LISTEN (proc_net_tcp.txt of the kernel).
                if fields.count > 9, fields[3] == "0A", inodes.contains(String(fields[9])) {
                    found.insert(String(fields[9]))
                }
            }
        }
        return found
    }

    @Test("without --listen no port is open, and status says nothing of HTTP")
    func closed() async throws {
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        #expect(try await tminus("show", "tea").end() == 0)
        #expect(try listening(daemon.program.id).isEmpty)
        #expect(!(try await tminus("status").output.texts.contains { $0.hasPrefix("http ") }))
        // The probes are on the control socket all the same.
        let probe = try await tminus("status", "--ready")
        #expect(try await probe.end() == 0 && probe.output.texts == ["ready"])
        try await daemon.stop()
    }

    @Test(
        "with --listen the probes answer, status says where, a program of this machine may read, and no control works")
    func open() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--host", "timers.example.org"])
        try await daemon.ready()
        let port = try await daemon.port()
        try await WebAnswer.get(port, "/readyz", "readiness") { $0.status == 200 && $0.body == "ready\n" }
        let health = try await WebAnswer.get(port, "/healthz")
        #expect(health.status == 200 && health.body == "ok\n")
        #expect(try listening(daemon.program.id).count == 1)
        let shown = try await tminus("status").output.texts
        #expect(shown.contains { $0.hasPrefix("http ") && $0.hasSuffix(" http://127.0.0.1:\(port)") }, "\(shown)")
        for path in ["/items", "/status", "/openapi.json", "/items/tea"] {
            #expect(try await WebAnswer.get(port, path).status == 200, "\(path)")
            #expect(try await WebAnswer.get(port, path, ["X-Forwarded-For": "192.0.2.1"]).status == 401, "\(path)")
        }
        #expect(try await WebAnswer.get(port, "/items/tea/start", method: "POST").status == 401)
        #expect(try await WebAnswer.get(port, "/wait").status == 404)
        #expect(try await WebAnswer.get(port, "/readyz", ["Host": "timers.example.org:80"]).status == 200)
        let stranger = try await WebAnswer.get(port, "/readyz", ["Host": "evil.example"])
        #expect(stranger.status == 421 && stranger.body.contains("start with --host evil.example"), "\(stranger)")
        #expect(stranger.headers["x-content-type-options"] == "nosniff")
        #expect(!daemon.errors.texts.contains { $0.contains("beyond this machine") })
        #expect(try await daemon.stop() == 0)
    }

    @Test("who may only read sees neither what receivers answered nor who asked for what")
    func reader() async throws {
        try scratch.save("b.yaml", "timers: { loud: { duration: 1h, on-expiry: [{ shell: echo hid''den; false }] } }\n")
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        try await daemon.ready()
        let port = try await daemon.port()
        #expect(try await tminus("fire", "loud").end() == 1)
        #expect(try await tminus("pause", "loud", "--note", "asked").end() == 0)
        let add = try await tminus("token", "add", "phone", "--level", "control")
        let secret = try #require(add.output.texts.first)
        let seen = try await WebAnswer.get(port, "/items/loud?details=true")
        let all = try await WebAnswer.get(port, "/items/loud?details=true", ["Authorization": "Bearer \(secret)"])
        #expect(seen.status == 200 && all.status == 200)
        for words in ["hidden", "asked"] {
            #expect(!seen.body.contains(words), "\(seen)")
            #expect(all.body.contains(words), "\(all)")
        }
        #expect(try await daemon.stop() == 0)
    }

    @Test("connections that fill the port leave the control socket open")
    func full() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening + ["--max-connections", "2"])
        try await daemon.ready()
        let port = try await daemon.port()
        let crowd = try Program("python3", ["-u", "-c", Self.fill, String(port)])
        #expect(try await crowd.output.first("a refusal") { _ in true }.text == "refused")
        #expect(try await tminus("show", "tea").end() == 0)
        crowd.send(SIGKILL)
        try await crowd.end()
        #expect(try await daemon.stop() == 0)
    }

    /// Opens connections to a port until the daemon refuses one, and keeps the others open.
    private static let fill = """
        import socket, sys, time
        held = []
        while True:
            client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            try:
                client.sendall(b"GET /readyz HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n")
                if not client.recv(1000):
                    break
            except ConnectionError:
                break
            held.append(client)
        print("refused", flush=True)
        # Holds the connections until it is killed.
        time.sleep(3600)
        """

    @Test("a port beyond loopback is open with a warning in the log")
    func beyondLoopback() async throws {
        let daemon = try RunningDaemon(in: scratch, ["--listen", "0.0.0.0:0"])
        try await daemon.errors.first("the warning") { $0.contains("plain HTTP is open beyond this machine") }
        try await daemon.ready()
        try await daemon.stop()
    }

    @Test("behind a proxy the client is who the proxy says, by a socket or from a trusted address, and below a path")
    func proxies() async throws {
        let path = "\(scratch.path)/http.sock"
        let daemon = try RunningDaemon(
            in: scratch,
            RunningDaemon.listening + ["--listen", "unix:\(path)", "--host", "timers.example"]
                + ["--trust-proxy", "127.0.0.1", "--path", "/tools/tminus"])
        try await daemon.ready()
        let port = try await daemon.port()
        try await daemon.errors.first("the socket") { $0.contains("HTTP open") && $0.contains("unix:\(path)") }
        let add = try Program(
            Program.tminus, ["token", "add", "phone", "--level", "control", "--state", scratch.state])
        #expect(try await add.end() == 0)
        let secret = try #require(add.output.texts.first)
        var fields = [
            "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "timers.example",
        ]
        for place in [String(port), path] {
            #expect(try await WebAnswer.get(at: place, "/tools/tminus/readyz").status == 200)
            #expect(try await WebAnswer.get(at: place, "/readyz").status == 200, "a proxy may take the path away")
            let moved = try await WebAnswer.get(at: place, "/tools/tminus")
            #expect(moved.status == 308 && moved.headers["location"] == "tminus/", "\(moved)")
            #expect(try await WebAnswer.get(at: place, "/tools/tminus/items", fields).status == 401)
            fields["Origin"] = "https://timers.example"
            fields["Content-Type"] = "application/json"
            let login = try await WebAnswer.get(
                at: place, "/tools/tminus/login", fields, method: "POST", body: #"{"token": "\#(secret)"}"#)
            let cookie = try #require(login.headers["set-cookie"])
            #expect(
                cookie.hasPrefix("__Secure-tminus=") && cookie.contains("; Path=/tools/tminus; Secure;"), "\(login)")
            let session = fields.merging(["Cookie": String(cookie.split(separator: ";")[0])]) { $1 }
            let started = try await WebAnswer.get(
                at: place, "/tools/tminus/items/tea/start", session, method: "POST", body: "{}")
            #expect([200, 409].contains(started.status), "\(started)")
            let foreign = session.merging(["Origin": "http://timers.example"]) { $1 }
            #expect(
                try await WebAnswer.get(at: place, "/tools/tminus/items/tea/start", foreign, method: "POST").status
                    == 403)
        }
        #expect(try await WebAnswer.get(at: path, "/items").status == 401, "nobody at a socket is local")
        let list = try Program(Program.tminus, ["web", "list", "--state", scratch.state])
        try await list.end()
        let listed = list.output.texts.filter { $0.contains("  phone  control  from 192.0.2.1  ") }
        #expect(listed.count == 2, "\(list.output.texts)")
        #expect(try await daemon.stop() == 0)
    }

    @Test("a port in use ends the start with 74 and words, before anything is fired or written")
    func portInUse() async throws {
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        let port = try await daemon.port()
        let other = try Scratch()
        try other.save("a.yaml", "timers: { now: { duration: 1ms } }\n")
        let second = try RunningDaemon(in: other, ["--listen", "127.0.0.1:\(port)"])
        #expect(try await second.program.end() == 74)
        #expect(
            second.errors.texts.contains { $0.contains("--listen 127.0.0.1:\(port): another program has the port") },
            "\(second.errors.texts)")
        #expect(second.output.texts.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: "\(other.state)/tminus.sqlite"))
        try await daemon.stop()
    }

    @Test(
        "options that cannot be used end the start with 64 and words",
        arguments: [
            (["--listen", "9108"], "expected an IP address and a port"),
            (["--listen", "example.org:80"], "expected an IP address and a port"),
            (["--listen", "192.0.2.1:9108"], "this machine has no such address"),
            (["--host", "a.example"], "--host needs --listen"),
            (["--max-connections", "9"], "--max-connections needs --listen"),
            (["--private"], "--private needs --listen"), (["--allow-edit"], "--allow-edit needs --listen"),
            (["--tokens", "x"], "--tokens needs --listen"), (["--path", "/x"], "--path needs --listen"),
            (["--listen", "unix:x"], "or unix: and an absolute path"),
            (["--listen", "127.0.0.1:0", "--trust-proxy", "10.0.0.0/33"], "expected addresses such as"),
            (["--listen", "127.0.0.1:0", "--path", "/x/"], "without a slash at its end"),
            (["--listen", "127.0.0.1:0", "--host", "a:1"], "expected a host name without a port"),
            (["--listen", "127.0.0.1:0", "--max-connections", "0"], "expected a number from 1"),
            (["--listen", "127.0.0.1:1", "--listen", "127.0.0.1:1"], "an address is given twice"),
        ] as [([String], String)])
    func unusable(options: [String], words: String) async throws {
        let daemon = try RunningDaemon(in: scratch, options)
        #expect(try await daemon.program.end() == 64)
        #expect(daemon.errors.texts.contains { $0.contains(words) }, "\(daemon.errors.texts)")
    }

    @Test("without a daemon status --ready is 69")
    func noDaemon() async throws {
        #expect(try await tminus("status", "--ready").end() == 69)
    }
}
