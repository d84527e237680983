import Glibc

/// A program that answers every GET at a Unix socket with one JSON text, by Python's standard library.
struct AnsweringServer {
    private let program: Program

    /// Starts it, and returns once it listens. It ends with this value.
    init(at path: String, answer: String) async throws {
        program = try Program("python3", ["-u", "-c", Self.script, path, answer])
        try await program.output.first("the server") { $0 == "listening" }
    }

    /// Ends it.
    func stop() async throws {
        program.send(SIGKILL)
        try await program.end()
    }

    private static let script = """
        import http.server, os, socketserver, sys
        path, answer = sys.argv[1], sys.argv[2].encode()
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            def log_message(self, *arguments):
                pass
        os.umask(0o077)
        server = socketserver.ThreadingUnixStreamServer(path, Handler)
        print("listening")
        server.serve_forever()
        """
}
