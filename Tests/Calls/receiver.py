"""The web server to which the daemon of a run delivers."""

import contextlib
import http.server
import threading


class Receiver:
    """A web server that accepts every payload; each run has a path of its own."""

    def __init__(self):
        posted = self.posted = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                posted.setdefault(self.path, []).append(body)
                self.send_response(204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def handle(self):
                # The client may end at any moment.
                with contextlib.suppress(OSError, ValueError):
                    super().handle()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, name):
        return f"http://127.0.0.1:{self.server.server_port}/{name}"
