import Foundation

/// An answer of the control socket, asked for by Python's standard library, independent of tminus's code.
struct SocketAnswer: Decodable, Sendable {
    /// The status code.
    var status: Int
    /// The header fields, with lowercase names.
    var headers: [String: String]
    /// The body.
    var body: String

    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]) ?? [:]
    }

    /// Asks the daemon with that state directory.
    static func send(
        _ method: String, _ target: String, to scratch: Scratch, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> SocketAnswer {
        let fields = String(decoding: try JSONEncoder().encode(headers), as: UTF8.self)
        let socket = "\(scratch.state)/control.sock"
        let program = try Program(
            "python3", ["-c", script, socket, method, target, fields] + (body.map { [$0] } ?? []))
        guard try await program.end() == 0, let line = program.output.texts.first else {
            throw Waiting.Vain(what: "an answer to \(target)", seen: program.errors.texts)
        }
        return try JSONDecoder().decode(SocketAnswer.self, from: Data(line.utf8))
    }

    private static let script = """
        import http.client, json, socket, sys
        path, method, target, headers, *body = sys.argv[1:]
        connection = http.client.HTTPConnection("x", timeout=600)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(path)
        connection.request(method, target, body[0].encode() if body else None, json.loads(headers))
        answer = connection.getresponse()
        text = answer.read().decode()
        fields = {name.lower(): value for name, value in answer.getheaders()}
        print(json.dumps({"status": answer.status, "headers": fields, "body": text}))
        """
}
