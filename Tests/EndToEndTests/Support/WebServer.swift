import Foundation

/// An HTTP server from Python's standard library, independent of tminus's code.
struct WebServer {
    /// A received request.
    struct Request: Decodable {
        /// The header fields, with lowercase names.
        var headers: [String: String]
        /// The body.
        var body: String
        /// Whether the path appeared in the command line of any process while the client waited for the answer.
        var isListed: Bool
    }

    private let program: Program
    /// The port on 127.0.0.1.
    let port: String

    /// Starts a server that answers with these status codes in turn, then always with the last. `body` is a Python
    /// function `body(headers)` for the bytes of each answer.
    init(answers: [Int], body: String = "def body(headers): return b''") async throws {
        program = try Program("python3", ["-u", "-c", "\(body)\n\(Self.script)"] + answers.map(String.init))
        port = try await program.output.first("a port") { _ in true }.text
    }

    /// The URL of a path.
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Waits for the first `count` requests.
    func requests(_ count: Int) async throws -> [Request] {
        try await program.output.lines(count + 1, "\(count) requests").dropFirst()
            .map { try JSONDecoder().decode(Request.self, from: Data($0.text.utf8)) }
    }

    /// The number of requests so far.
    var count: Int { program.output.texts.count - 1 }

    private static let script = """
        import glob, http.server, json, sys
        answers = [int(word) for word in sys.argv[1:]]
        def listing():
            for name in glob.glob("/proc/[0-9]*/cmdline"):
                try:
                    yield open(name, "rb").read()
                except OSError:
                    pass
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                received = self.rfile.read(int(self.headers["Content-Length"])).decode()
                listed = any(self.path.encode() in line for line in listing())
                headers = {name.lower(): value for name, value in self.headers.items()}
                print(json.dumps({"headers": headers, "body": received, "isListed": listed}), flush=True)
                self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
                self.end_headers()
                self.wfile.write(body(headers))
            def log_message(self, *arguments):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}
