import Foundation

/// An answer over TCP, asked for by Python's standard library, independent of tminus's code.
struct WebAnswer: Decodable, Sendable {
    /// The status code.
    var status: Int
    /// The header fields, with lowercase names.
    var headers: [String: String]
    /// The body.
    var body: String

    /// Asks a port of this machine.
    static func get(
        _ port: Int, _ path: String, _ headers: [String: String] = [:], method: String = "GET", body: String = ""
    ) async throws -> WebAnswer {
        try await get(at: String(port), path, headers, method: method, body: body)
    }

    /// Asks a port of this machine, a socket in the file system, or by TLS `tls:PORT:FILE` with the authority of the file.
    static func get(
        at place: String, _ path: String, _ headers: [String: String] = [:], method: String = "GET", body: String = ""
    ) async throws -> WebAnswer {
        let fields = String(decoding: try JSONEncoder().encode(headers), as: UTF8.self)
        let program = try Program("python3", ["-c", script, place, method, path, fields, body])
        guard try await program.end() == 0, let line = program.output.texts.first else {
            throw Waiting.Vain(what: "an answer to \(path)", seen: program.errors.texts)
        }
        return try JSONDecoder().decode(WebAnswer.self, from: Data(line.utf8))
    }

    /// Asks until the answer is as wanted.
    @discardableResult
    static func get(
        _ port: Int, _ path: String, _ what: String, until isWanted: (WebAnswer) -> Bool
    ) async throws -> WebAnswer {
        let deadline = ContinuousClock.now + Waiting.limit
        while true {
            let answer = try await get(port, path)
            if isWanted(answer) { return answer }
            guard ContinuousClock.now < deadline else { throw Waiting.Vain(what: what, seen: [answer.body]) }
            // Nobody tells of a change: a probe asks again.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static let script = """
        import http.client, json, socket, ssl, sys
        place, method, path, headers, body = sys.argv[1:]
        if place.startswith("/"):
            connection = http.client.HTTPConnection("127.0.0.1", timeout=600)
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(place)
        elif place.startswith("tls:"):
            _, port, authority = place.split(":", 2)
            context = ssl.create_default_context(cafile=authority)
            connection = http.client.HTTPSConnection("127.0.0.1", int(port), timeout=600, context=context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", int(place), timeout=600)
        connection.request(method, path, body or None, json.loads(headers))
        answer = connection.getresponse()
        body = answer.read().decode()
        fields = {name.lower(): value for name, value in answer.getheaders()}
        print(json.dumps({"status": answer.status, "headers": fields, "body": body}))
        """
}

extension RunningDaemon {
    /// The options that open a port that the kernel chooses.
    static let listening = ["--listen", "127.0.0.1:0"]

    /// Waits until a port is open, and returns it.
    func port() async throws -> Int {
        let line = try await errors.first("an open port") { $0.contains("HTTP open") && !$0.contains("unix:") }.text
        guard let port = line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.output.1) }) else {
            throw Waiting.Vain(what: "a port", seen: [line])
        }
        return port
    }
}
