"""An HTTP server for tests. Prints its port, then writes each request as a JSON line to the file named by the argument.

The path says how to answer: /status/CODE, /status/CODE?retry-after=VALUE, /hang, /endless, /slow-headers, /close.
/await/received/NAME and /await/closed/NAME answer when a request for /NAME was read, or its connection has ended.
Ends when its standard input ends, so that it never outlives the tests.
"""

import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

LOCK = threading.Lock()
RECEIVED = open(sys.argv[1], "a", encoding="utf-8")
CHANGE = threading.Condition()
HAPPENED = set()


def tell(what):
    with CHANGE:
        HAPPENED.add(what)
        CHANGE.notify_all()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8")
        url = urllib.parse.urlsplit(self.path)
        if url.path.startswith("/await/"):
            with CHANGE:
                happened = CHANGE.wait_for(lambda: url.path.removeprefix("/await/") in HAPPENED, 60)
            return self.answer_with(204 if happened else 404, url)
        record = {"method": self.command, "path": self.path, "body": body,
                  "headers": {name.lower(): value for name, value in self.headers.items()}}
        with LOCK:
            RECEIVED.write(json.dumps(record) + "\n")
            RECEIVED.flush()
        tell("received" + url.path)
        try:
            self.answer_as_asked(url)
        finally:
            tell("closed" + url.path)

    def answer_as_asked(self, url):
        if url.path == "/hang":
            self.rfile.read(1)  # until the client hangs up
            self.close_connection = True
        elif url.path == "/close":
            self.close_connection = True
        elif url.path == "/slow-headers":
            self.send_response(200)
            self.flush_headers()
            while True:
                self.wfile.write(b"X-Slow: 1\r\n")
                time.sleep(0.05)
        elif url.path == "/endless":
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 4096)
        else:
            self.answer_with(int(url.path.rsplit("/", 1)[-1]), url)

    def answer_with(self, status, url):
        self.send_response(status)
        for value in urllib.parse.parse_qs(url.query).get("retry-after", []):
            self.send_header("Retry-After", value)
        if status in (301, 302, 307, 308):
            self.send_header("Location", "/status/200")
        if status != 204:
            self.send_header("Content-Length", "3")
        self.end_headers()
        if status != 204:
            self.wfile.write(b"ok\n")

    do_POST = do_PUT = do_PATCH = do_GET = answer

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # clients that hang up are what the tests are about


def end_with_input():
    sys.stdin.read()
    os._exit(0)


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=end_with_input, daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
