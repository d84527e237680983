"""An HTTP server for tests, with good and bad manners.

Prints its ports as a line of JSON, then writes each request as a line of JSON to the file named by the first argument.
The second argument may be a directory of certificates: then there is a TLS port for each of them.

The path says how to answer:
/status/CODE, /status/CODE?retry-after=VALUE   that status
/bare-status?code=TEXT                         that text in the place of the status
/echo             200 with the head and the body of the request
/redirect?to=URL&status=CODE                   that redirect
/redirect-loop    a redirect to itself
/hang             nothing, until the client hangs up
/endless          a body that never ends
/slow-headers     a head that never ends, slowly
/endless-headers  a head that never ends, fast
/giant-header     a header field of 1 MiB
/informational    answers of status 100 without end
/close            the end of the connection without an answer
/reset            a reset of the connection without an answer
/half-close       the end of the answer's direction only
/half-head        the end of the connection in the midst of the head
/half-body        the end of the connection in the midst of the body
/garbage          something that is not HTTP
/rude             status 200, and then the end of the connection without announcing it
/await/received/NAME and /await/closed/NAME answer when a request for /NAME was read, or its connection has ended.
Ends when its standard input ends, so that it never outlives the tests.
"""

import http.server
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

LOCK = threading.Lock()
RECEIVED = open(sys.argv[1], "a", encoding="utf-8")  # noqa: SIM115 (open as long as the server)
CHANGE = threading.Condition()
HAPPENED = set()
CONNECTIONS = 0


def tell(what):
    with CHANGE:
        HAPPENED.add(what)
        CHANGE.notify_all()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        global CONNECTIONS
        with LOCK:
            CONNECTIONS += 1
            self.number = CONNECTIONS
        if isinstance(self.request, ssl.SSLSocket):
            self.request.do_handshake()
        super().setup()

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8")
        url = urllib.parse.urlsplit(self.path)
        if url.path.startswith("/await/"):
            with CHANGE:
                happened = CHANGE.wait_for(lambda: url.path.removeprefix("/await/") in HAPPENED, 600)
            return self.answer_with(204 if happened else 404, url)
        record = {"method": self.command, "path": self.path, "body": body, "connection": self.number,
                  "headers": {name.lower(): value for name, value in self.headers.items()}}
        with LOCK:
            RECEIVED.write(json.dumps(record) + "\n")
            RECEIVED.flush()
        tell("received" + url.path)
        try:
            self.answer_as_asked(url, record)
        finally:
            tell("closed" + url.path)

    def answer_as_asked(self, url, record):
        # Whatever is said here by hand is the last of its connection, except for the answers with a status.
        manners = getattr(self, "answer_" + url.path[1:].replace("-", "_"), None)
        if manners is None:
            return self.answer_with(int(url.path.rsplit("/", 1)[-1]), url)
        self.close_connection = True
        manners(url, record)

    def say(self, text):
        self.wfile.write(text)
        self.wfile.flush()

    def answer_bare_status(self, url, record):
        code = urllib.parse.parse_qs(url.query)["code"][0].encode()
        self.say(b"HTTP/1.1 %s x\r\nContent-Length: 3\r\n\r\nok\n" % code)

    def answer_echo(self, url, record):
        text = (json.dumps(record["headers"]) + record["path"] + record["body"]).encode()
        self.say(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(text) + text)

    def answer_redirect(self, url, record):
        query = urllib.parse.parse_qs(url.query)
        location = query["to"][0].encode()
        self.say(b"HTTP/1.1 %d Elsewhere\r\nConnection: close\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
                 % (int(query["status"][0]), location))

    def answer_redirect_loop(self, url, record):
        self.say(b"HTTP/1.1 307 Again\r\nConnection: close\r\nLocation: /redirect-loop\r\nContent-Length: 0\r\n\r\n")

    def answer_hang(self, url, record):
        self.rfile.read(1)

    def answer_endless(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            self.say(b"x" * 4096)

    def answer_slow_headers(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.say(b"X-Slow: 1\r\n")
            # Being slow is what this answer is for.
            time.sleep(0.05)

    def answer_endless_headers(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.say(b"X-Fast: 1\r\n" * 100)

    def answer_giant_header(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\nX-Giant: " + b"x" * (1 << 20) + b"\r\nContent-Length: 0\r\n\r\n")

    def answer_informational(self, url, record):
        while True:
            self.say(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)

    def answer_close(self, url, record):
        pass

    def answer_reset(self, url, record):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def answer_half_close(self, url, record):
        self.connection.shutdown(socket.SHUT_WR)
        self.rfile.read(1)

    def answer_half_head(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\nContent-Le")

    def answer_half_body(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    def answer_garbage(self, url, record):
        self.say(b"220 mail.example.com ESMTP\r\n")

    def answer_rude(self, url, record):
        self.say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

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
    # Looking up the name of the address can take long where there is no name server.
    server_name = "localhost"
    context = None

    def server_bind(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_port = self.server_address[1]

    def get_request(self):
        connection, address = super().get_request()
        if self.context:
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, client_address):
        pass  # clients that hang up are what the tests are about


def serve(context=None):
    server = Server(("127.0.0.1", 0), Handler)
    server.context = context
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


ports = {"plain": serve()}
for name in sorted(os.listdir(sys.argv[2])) if len(sys.argv) > 2 else []:
    if name.endswith(".chain.pem"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # Offers HTTP/2 first, which this server does not speak: the client must not choose it.
        context.set_alpn_protocols(["h2", "http/1.1"])
        context.load_cert_chain(os.path.join(sys.argv[2], name))
        ports[name.removesuffix(".chain.pem")] = serve(context)
print(json.dumps(ports), flush=True)
sys.stdin.read()
os._exit(0)
