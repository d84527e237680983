"""What surrounds the daemon of crash_test.py and of some checks: small disks and a web server."""

import contextlib
import http.server
import json
import os
import random
import subprocess
import sys
import threading


def what(payload):
    """What a payload is about, and its id."""
    data = payload["data"]
    lead = str(data["before"]["seconds"]) if "before" in data else ""
    return (payload["subject"], payload["type"].removeprefix("tminus."), lead), payload["id"]


class Disk:
    """A small disk if it could be mounted, else an ordinary directory."""

    def __init__(self, path, is_ours):
        self.path, self.is_ours = path, is_ours

    @contextlib.contextmanager
    def full(self):
        ballast = self.path / "ballast"
        try:
            with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
                for size in [1 << 20, 1 << 12]:
                    with contextlib.suppress(OSError):
                        while True:
                            file.write(bytes(size))
            yield
        finally:
            ballast.unlink(missing_ok=True)

    @contextlib.contextmanager
    def frozen(self):
        """Every write waits. A tmpfs cannot be frozen."""
        subprocess.run(["fsfreeze", "--freeze", self.path], check=True)
        try:
            yield
        finally:
            subprocess.run(["fsfreeze", "--unfreeze", self.path], check=True)

    @contextlib.contextmanager
    def read_only(self):
        subprocess.run(["mount", "-o", "remount,ro", self.path], check=True)
        try:
            yield
        finally:
            subprocess.run(["mount", "-o", "remount,rw", self.path], check=True)


@contextlib.contextmanager
def small_disk(path):
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", path], stderr=subprocess.DEVNULL, check=False
    ).returncode == 0
    if not mounted:
        print("no tmpfs could be mounted: without a full and a read-only disk", file=sys.stderr)
    try:
        yield Disk(path, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", path], check=False)


@contextlib.contextmanager
def freezing_disk(path):
    """A disk of 32 MiB with a file system that can be frozen."""
    path.mkdir()
    image = path.with_suffix(".image")
    with open(image, "wb") as file:
        file.truncate(32 << 20)
    mounted = os.geteuid() == 0 and all(
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
        for command in [["mkfs.ext4", "-q", image], ["mount", "-o", "loop", image, path]])
    if not mounted:
        print("no ext4 could be mounted: without a disk that hangs", file=sys.stderr)
    try:
        yield Disk(path, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", path], check=False)


@contextlib.contextmanager
def receiver(read=what):
    """A web server that accepts nine of ten payloads and answers the tenth with status 503. It keeps what `read` makes
    of those that it accepts."""
    posted = []
    chance = random.Random(1)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            takes = chance.random() < 0.9
            if takes:
                posted.append(read(json.loads(body)))
            self.send_response(204 if takes else 503)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def handle(self):
            # The client is killed now and then.
            with contextlib.suppress(ConnectionError, ValueError):
                super().handle()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", posted
    finally:
        server.shutdown()
