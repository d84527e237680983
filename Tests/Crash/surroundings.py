"""What surrounds the daemon of crash_test.py and of some checks: small disks and a web server."""

import contextlib
import http.server
import json
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


def succeeds(command):
    with contextlib.suppress(FileNotFoundError):
        return subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    return False


@contextlib.contextmanager
def mounted(path, commands, without):
    """A disk that these commands mount, or an ordinary directory, with a word on what it is without."""
    path.mkdir()
    is_ours = all(succeeds(command) for command in commands)
    if not is_ours:
        print(without, file=sys.stderr)
    try:
        yield Disk(path, is_ours)
    finally:
        if is_ours:
            subprocess.run(["umount", path], check=False)


def small_disk(path):
    """A disk of 16 MiB."""
    return mounted(path, [["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", path]],
                   "no tmpfs could be mounted: without a full and a read-only disk")


def freezing_disk(path):
    """A disk of 32 MiB with a file system that can be frozen."""
    image = path.with_suffix(".image")
    with open(image, "wb") as file:
        file.truncate(32 << 20)
    return mounted(path, [["mkfs.ext4", "-q", image], ["mount", "-o", "loop", image, path]],
                   "no ext4 could be mounted: without a disk that hangs")


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
