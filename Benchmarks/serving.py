#!/usr/bin/env python3
"""Measures what the daemon serves: many viewers of the stream of changes, by each door, and its metrics.

usage: serving.py TMINUS [PART...]

Parts: viewers, crowd, metrics, listening; default all. Writes figures for table.py.
"""

import functools
import pathlib
import resource
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from daemon import (
    Connection,
    Daemon,
    Failed,
    age,
    precise_processor_seconds,
    runs,
    say,
    status_megabytes,
    voluntary_switches,
    wake_ups,
)
from table import Row


def running(config, count):
    """Writes running timers of an hour and more, and one that ends at once."""
    config.mkdir(mode=0o700)
    (config / "probe.yaml").write_text("timers: { probe: { duration: 1ms } }\n")
    for first in range(0, count, 1_000):
        numbers = range(first, min(count, first + 1_000))
        lines = [f"  t{n}: {{ duration: {3_600 + n}s, on-expiry: [] }}" for n in numbers]
        (config / f"t{first}.yaml").write_text("\n".join(["timers:", *lines]) + "\n")
    age(config)


class Crowd:
    """Viewers of the stream of changes. One thread reads what they receive, each as often as it can be read."""

    def __init__(self, connect, count):
        self.count = count
        self.received = 0
        self.is_closed = False
        # Who has received something since `awaited` was emptied.
        self.awaited = set()
        self.poll = select.epoll()
        self.viewers = {}
        self.stopped = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        for _ in range(count):
            viewer = connect()
            viewer.sendall(b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n")
            viewer.setblocking(False)
            self.viewers[viewer.fileno()] = viewer
            self.poll.register(viewer.fileno(), select.EPOLLIN)

    def read(self):
        while not self.stopped.is_set():
            for descriptor, _ in self.poll.poll(0.2):
                self.take(descriptor)

    def take(self, descriptor):
        viewer = self.viewers[descriptor]
        while True:
            try:
                data = viewer.recv(1 << 20)
            except (BlockingIOError, ssl.SSLWantReadError):
                return
            except ConnectionResetError:
                data = b""
            if not data:
                self.is_closed = True
                self.poll.unregister(descriptor)
                return
            self.received += len(data)
            self.awaited.discard(descriptor)

    def settle(self, size, limit=240):
        """Waits until all have received the snapshot of at least `size` bytes."""
        deadline = time.monotonic() + limit
        while self.received < size * self.count:
            if self.is_closed or time.monotonic() > deadline:
                raise Failed("a viewer did not receive the snapshot, or was disconnected")
            time.sleep(0.2)
        # The pause of the stream after it has told so many.
        time.sleep(3)

    def seconds_until_all_see(self, change, limit=60):
        """Seconds from a change until the last viewer has received something."""
        self.awaited = set(self.viewers)
        began = time.monotonic()
        change()
        while self.awaited:
            if time.monotonic() - began > limit:
                raise Failed(f"{len(self.awaited)} viewers did not receive a change within {limit} s")
            time.sleep(0.002)
        return time.monotonic() - began

    def end(self):
        self.stopped.set()
        self.reader.join()
        for viewer in self.viewers.values():
            viewer.close()


def certificate(root):
    """A certificate of the machine's own, and its key."""
    names = root / "cert.pem", root / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-keyout", names[1], "-out", names[0]], check=True, capture_output=True)
    return names


def doors(daemon):
    """How to connect to the port of a daemon, in the clear and by TLS."""
    host, port = daemon.next(lambda line: line["message"] == "HTTP open")[1]["address"].rsplit(":", 1)

    def plain():
        return socket.create_connection((host, int(port)))

    def encrypted():
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(plain(), server_hostname="localhost")

    return plain, encrypted


def bench_viewers(binary, count=1_000, viewers=1_000, seconds=6):
    for door, target in [("socket", 10), ("TCP", 10), ("TLS", 20)]:
        with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
            root = pathlib.Path(directory)
            running(root / "config", count)
            options = [] if door == "socket" else ["--listen", "127.0.0.1:0", "--max-connections", str(viewers * 2)]
            if door == "TLS":
                cert, key = certificate(root)
                options += ["--tls-cert", cert, "--tls-key", key]
            with Daemon(binary, root, *options) as daemon:
                plain, encrypted = doors(daemon) if options else (daemon.connect, None)
                daemon.first_delivery()
                crowd = Crowd(encrypted if door == "TLS" else plain, viewers)
                crowd.settle(len(Connection(daemon.connect()).take("GET", "/items")))
                shares, volumes = [], []
                for _ in range(runs()):
                    used, began, before = precise_processor_seconds(daemon.pid), time.monotonic(), crowd.received
                    time.sleep(seconds)
                    passed = time.monotonic() - began
                    shares.append((precise_processor_seconds(daemon.pid) - used) / passed * 100)
                    volumes.append((crowd.received - before) / passed / 1000)
                is_closed = crowd.is_closed
                crowd.end()
            if is_closed:
                raise Failed("a viewer was disconnected")
            name = f"{viewers:,} viewers of {count:,} running timers, {door}"
            Row(f"{name}: of a core", "%", shares, target).write()
            Row(f"{name}: sent to all", "KB/s", volumes).write()


def bench_crowd(binary, viewers=10_000):
    for door in ("socket", "TCP"):
        with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
            root = pathlib.Path(directory)
            running(root / "config", 1)
            options = [] if door == "socket" else ["--listen", "127.0.0.1:0", "--max-connections", str(viewers * 2)]
            with Daemon(binary, root, *options) as daemon:
                connect = doors(daemon)[0] if options else daemon.connect
                daemon.first_delivery()
                alone = status_megabytes(daemon.pid)
                crowd = Crowd(connect, viewers)
                crowd.settle(len(Connection(daemon.connect()).take("GET", "/items")))
                memory = (status_megabytes(daemon.pid) - alone) * 1024 / viewers
                firsts, seconds = [], []
                for _ in range(runs()):
                    # A new one: the daemon closes what is idle for long.
                    connection = Connection(daemon.connect())
                    pause, resume = [functools.partial(connection.take, "POST", f"/items/t0/{verb}")
                                     for verb in ("pause", "resume")]
                    firsts.append(crowd.seconds_until_all_see(pause))
                    seconds.append(crowd.seconds_until_all_see(resume))
                    time.sleep(3)
                is_closed = crowd.is_closed
                crowd.end()
        if is_closed:
            raise Failed("a viewer was disconnected")
        Row(f"{viewers:,} viewers, {door}: memory of one", "KiB", [memory], 16).write()
        Row(f"{viewers:,} viewers, {door}: a change to the last", "s", firsts, 0.5).write()
        Row(f"{viewers:,} viewers, {door}: the change after it", "s", seconds, 0.75).write()


def sinks(config, count):
    """Writes sinks, with a timer that ends at once for each."""
    lines = ["sinks:", *(f"  sink-{n}: {{ exec: [/bin/true] }}" for n in range(count))]
    lines += ["timers:", *(f"  use-{n}: {{ duration: 1ms, on-expiry: [sink-{n}] }}" for n in range(count))]
    (config / "sinks.yaml").write_text("\n".join(lines) + "\n")


def delivered(connection, count, limit=60):
    """Waits until each of so many sinks has delivered."""
    deadline = time.monotonic() + limit
    wanted = {f'tminus_deliveries_total{{sink="sink-{n}",outcome="delivered"}} 1' for n in range(count)}
    while not wanted <= set(connection.take("GET", "/metrics").decode().splitlines()):
        if time.monotonic() > deadline:
            raise Failed(f"{count} sinks have not delivered within {limit} s")
        time.sleep(0.2)


def bench_metrics(binary, receivers=10):
    series = []
    for count in (10, 100_000):
        with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
            root = pathlib.Path(directory)
            running(root / "config", count)
            sinks(root / "config", receivers)
            with Daemon(binary, root) as daemon:
                daemon.first_delivery()
                connection = Connection(daemon.connect())
                delivered(connection, receivers)
                times, used = [], precise_processor_seconds(daemon.pid)
                for _ in range(10 * runs()):
                    began = time.perf_counter()
                    body = connection.take("GET", "/metrics")
                    times.append((time.perf_counter() - began) * 1000)
                used = (precise_processor_seconds(daemon.pid) - used) / len(times) * 100
                lines = [line for line in body.decode().splitlines() if not line.startswith("#")]
                series.append(len(lines))
        name = f"/metrics of {count:,} definitions, {receivers} sinks"
        Row(name, "ms", times, 5).write()
        Row(f"{name}: size", "KB", [len(body) / 1000], 64).write()
        # What one scrape a second takes from the deliveries.
        Row(f"{name}, each second: of a core", "%", [used], 1).write()
    Row("/metrics: series more with 100,000 definitions than with 10", "series", [series[1] - series[0]], 0).write()


def bench_listening(binary, seconds=30):
    memory, wakes = {}, {}
    for options in [(), ("--listen", "127.0.0.1:0")]:
        with tempfile.TemporaryDirectory(prefix="tminus-bench-") as directory:
            root = pathlib.Path(directory)
            running(root / "config", 10)
            with Daemon(binary, root, *options) as daemon:
                daemon.first_delivery()
                time.sleep(5)
                before = voluntary_switches(daemon.pid)
                time.sleep(seconds)
                wakes[bool(options)] = wake_ups(before, voluntary_switches(daemon.pid))
                memory[bool(options)] = status_megabytes(daemon.pid)
    Row("--listen without a viewer: memory", "MB", [max(0, memory[True] - memory[False])], 3).write()
    Row("--listen without a viewer: wake-ups in 30 s", "wake-ups", [max(0, wakes[True] - wakes[False])], 0).write()


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    benches = {"viewers": bench_viewers, "crowd": bench_crowd, "metrics": bench_metrics, "listening": bench_listening}
    for part in sys.argv[2:] or benches:
        say(f"serving: {part}")
        benches[part](binary)


if __name__ == "__main__":
    # A descriptor for each viewer.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    main()
