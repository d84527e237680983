"""Secrets that can be searched for, and receivers of them, for check_secrets.py."""

import base64
import contextlib
import http.server
import json
import os
import pathlib
import secrets
import socket
import string
import struct
import threading
from typing import ClassVar

WINDOW = 8


class Leak(Exception):
    """A secret where it must not be, or a receiver that did not get it."""


class Canaries:
    """The secrets by their kind, and the search for any part of them."""

    def __init__(self):
        self.values, self.parts = {}, {}

    def make(self, kind, form="{}"):
        """A new secret: `form` around 24 letters and digits, of which none may be seen."""
        core = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(24))
        self.values[kind] = form.format(core)
        self.add(kind, core)
        return self.values[kind]

    def add(self, kind, text):
        """Adds a secret that TMINUS or another program made."""
        forms = [text] + [base64.b64encode(("x" * before + text).encode()).decode()[4:-4] for before in range(3)]
        for form in forms:
            for start in range(len(form) - WINDOW + 1):
                self.parts[form[start:start + WINDOW].encode()] = kind

    def found(self, data, allowed=()):
        """The kinds of the secrets of which a part stands in `data`."""
        windows = {data[start:start + WINDOW] for start in range(len(data) - WINDOW + 1)}
        return sorted({self.parts[part] for part in windows & self.parts.keys()} - set(allowed))

    def expect_none(self, place, data, allowed=()):
        if kinds := self.found(data, allowed):
            first = min(data.index(part) for part, kind in self.parts.items() if kind in kinds and part in data)
            raise Leak(f"{', '.join(kinds)} in {place}: ...{data[max(0, first - 120):first + 60]!r}...")


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers each request by an error that repeats all of it, and keeps it."""

    received: ClassVar[list] = []

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.received.append((self.path, dict(self.headers.items())))
        answer = f"{self.path}\n{self.headers}\n{json.dumps(dict(self.headers.items()))}".encode()
        # 410 is not tried again, 500 is.
        self.send_response(500 if self.path == "/body" else 410, "no")
        self.send_header("X-Repeated", self.headers.get("Authorization", ""))
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Watcher(threading.Thread):
    """Reads the command lines of all processes until it is ended."""

    def __init__(self, canaries):
        super().__init__(daemon=True)
        self.canaries, self.ended, self.seen, self.looks = canaries, threading.Event(), [], 0

    def run(self):
        while not self.ended.wait(0.02):
            self.looks += 1
            for process in filter(str.isdigit, os.listdir("/proc")):
                with contextlib.suppress(OSError):
                    words = pathlib.Path("/proc", process, "cmdline").read_bytes()
                    if kinds := self.canaries.found(words):
                        self.seen.append(f"{', '.join(kinds)} in the command line {words[:200]!r}")


def server_with_password(listener, passwords):
    """Speaks just enough of PostgreSQL to be told the password, which it repeats in its refusal."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, contextlib.suppress(OSError, struct.error):
            def take():
                return connection.recv(struct.unpack("!I", connection.recv(4, socket.MSG_WAITALL))[0] - 4,  # noqa: B023
                                       socket.MSG_WAITALL)
            # A request for TLS or GSS comes first.
            while struct.unpack("!I", take()[:4])[0] in (80877103, 80877104):
                connection.sendall(b"N")
            connection.sendall(b"R" + struct.pack("!II", 8, 3))
            if connection.recv(1) == b"p":
                password = take().rstrip(b"\0")
                passwords.append(password)
                fields = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user \"tminus\"\0\0"
                connection.sendall(b"E" + struct.pack("!I", len(fields) + 4) + fields)
