"""A daemon to measure from outside, and readings of /proc."""

import contextlib
import json
import os
import pathlib
import queue
import signal
import socket
import subprocess
import sys
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")
# What reading about a thread says that has just ended.
HAS_ENDED = contextlib.suppress(FileNotFoundError, ProcessLookupError)
# Ends through the exit handlers, so that the daemons started by a benchmark end with it.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class Failed(SystemExit):
    """A benchmark that cannot give a figure, with the reason."""


def runs(count=3):
    """How often to measure: RUNS times if that is set in the environment."""
    return int(os.environ.get("RUNS") or count)


def say(text):
    """Reports progress."""
    print(text, file=sys.stderr, flush=True)


def until(condition, what, limit=60, pause=0.002):
    """Waits for a condition, and returns when it was met."""
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise Failed(f"not within {limit} s: {what}")
        time.sleep(pause)
    return time.monotonic()


def quantile(values, share):
    """The value below which that share of the values is."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def processor_seconds(pid):
    """The processor time of a process, in user and kernel mode."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def precise_processor_seconds(pid):
    """The processor time of the living threads of a process, to the nanosecond (schedstat in proc(5))."""
    total = 0
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with HAS_ENDED:
            total += int(path.read_text().split()[0])
    return total / 1e9


def status_megabytes(pid, name="VmRSS"):
    """The resident memory of a process; with VmHWM its peak."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    raise Failed(f"no {name} of process {pid}")


def voluntary_switches(pid):
    """How often each thread went to sleep, by thread id."""
    counts = {}
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        with HAS_ENDED:
            for line in status.read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches:"):
                    counts[status.parent.name] = int(line.split()[1])
    return counts


def wake_ups(before, after):
    """How often threads went to sleep between two readings of `voluntary_switches`; threads that ended are left out."""
    return sum(count - before.get(thread, 0) for thread, count in after.items())


class Connection:
    """A kept HTTP connection, so that the daemon is measured and not a client library."""

    def __init__(self, connection):
        self.socket = connection

    def ask(self, method, path):
        """The status and the body of the answer."""
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.receive()
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        length = next((int(line.split(":")[1]) for line in lines if line.startswith("content-length:")), None)
        if length is None:
            body = self.chunks(body)
        else:
            while len(body) < length:
                body += self.receive()
        return int(lines[0].split()[1]), body

    def take(self, method, path):
        """The body of a successful answer."""
        status, body = self.ask(method, path)
        if status >= 300:
            raise Failed(f"{method} {path}: {status} {body.decode()}")
        return body

    def chunks(self, data):
        """A chunked body (RFC 9112, section 7.1)."""
        body, data = [], bytearray(data)
        while True:
            while (end := data.find(b"\r\n")) < 0:
                data += self.receive()
            size = int(data[:end].split(b";")[0], 16)
            while len(data) < end + size + 4:
                data += self.receive()
            if size == 0:
                return b"".join(body)
            body.append(bytes(data[end + 2 : end + 2 + size]))
            del data[: end + size + 4]

    def receive(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise Failed("the daemon has closed the connection")
        return data


class Daemon:
    """A daemon on `root`/config, whose log lines are read as they come, each with the time of its arrival."""

    def __init__(self, binary, root, *options):
        self.binary = binary
        self.lines = queue.SimpleQueue()
        self.socket = str(root / "state" / "control.sock")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [binary, "run", "--config", root / "config", "--state", root / "state", "--socket", self.socket,
             "--log-format", "json", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.pid = self.process.pid
        for stream, name in [(self.process.stdout, "output"), (self.process.stderr, "log")]:
            threading.Thread(target=self.read, args=(stream, name), daemon=True).start()

    def read(self, stream, name):
        for line in stream:
            self.lines.put((time.monotonic(), name, line.decode()))

    def next(self, is_wanted, limit=60):
        """The next line that is wanted, and when it came."""
        deadline = time.monotonic() + limit
        while True:
            try:
                at, name, text = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise Failed(f"the daemon did not log the expected line within {limit} s") from None
            if name == "log" and not text.startswith('{"time":'):
                continue
            line = json.loads(text) if name == "log" else {"message": "delivered", "text": text}
            if is_wanted(line):
                return at, line

    def first_delivery(self, limit=60):
        """Seconds from the start of the process to the first line on its standard output."""
        return self.next(lambda line: line["message"] == "delivered" and "text" in line, limit)[0] - self.began

    def live(self, limit=120):
        """Seconds from the start of the process until definitions were in force."""
        return self.next(lambda line: line["message"] == "definitions in force", limit)[0] - self.began

    def item(self, id, is_wanted=lambda item: True, limit=300, pause=0.002):
        """Waits until the schedule has an item that is wanted. Returns when that was."""
        deadline = time.monotonic() + limit
        connection = Connection(self.connect())
        while time.monotonic() < deadline:
            status, body = connection.ask("GET", f"/items/{id}")
            if status == 200 and is_wanted(json.loads(body)):
                return time.monotonic()
            time.sleep(pause)
        raise Failed(f"{id} did not appear in the schedule within {limit} s")

    def ask(self, *words):
        """Runs a command of tminus against this daemon."""
        return subprocess.run(
            [self.binary, *words, "--socket", self.socket], capture_output=True, text=True, check=False)

    def processor_seconds(self):
        return processor_seconds(self.pid)

    def resident_megabytes(self):
        return status_megabytes(self.pid)

    def connect(self):
        """A connection to its control socket, as soon as it listens."""
        deadline = time.monotonic() + 30
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.socket)
                return connection
            except OSError:
                connection.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def age(config):
    """Makes all files a minute old, so that the daemon need not wait for them to become quiet."""
    past = time.time() - 60
    for path in config.iterdir():
        os.utime(path, (past, past))
