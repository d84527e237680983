#!/usr/bin/env python3
"""Measures daemons that share a PostgreSQL server: take-over, what their deliveries cost beside SQLite, what more
machines bring, what the daemon costs beside its statements alone, and what idle ones ask the database.

usage: fleet.py TMINUS [PART...]

Parts: takeover, firings, machines, statements, idle; default all. The server is private, on the disk of the temporary
files, and waits for the disk as SQLite does. Writes figures for table.py.
"""

import collections
import contextlib
import http.server
import json
import pathlib
import signal
import socket
import sys
import tempfile
import threading
import time

from backlog import bench_statements
from daemon import Connection, Daemon, Failed, runs, say, until
from parts.part import directory, events, sinks, sleep_until, soon, started, wait_for_lines, wait_for_outbox, write
from postgres import Server
from table import Row

YEAR_2099 = 4_080_000_000
# A third of the lease of 10 s.
RENEWAL = 10 / 3


class Fleet(contextlib.ExitStack):
    """Machines with copies of the same files, of which the first leads."""

    def __init__(self, binary, server, files, count):
        super().__init__()
        self.binary, self.server, self.files = binary, server, files
        self.root = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory(prefix="tminus-bench-")))
        self.database = server.create()
        with contextlib.ExitStack() as failing:
            failing.push(self)
            self.machines = [self.start(f"m{number + 1}", leads=number == 0) for number in range(count)]
            failing.pop_all()

    def start(self, name, leads=False):
        """Starts a machine, also again, and waits until it leads or delivers beside the leader."""
        root = self.root / name
        if not root.exists():
            root.mkdir()
            write(root / "config", self.files)
        options = ["--standby", "--fleet", "bench", *self.server.store(self.database, name)]
        daemon = self.enter_context(Daemon(self.binary, root, *options))
        daemon.name = name
        if leads:
            until(lambda: is_ready(daemon), f"{name} leads", pause=0.02)
        else:
            daemon.next(lambda line: line["message"] == "delivers beside the leader")
        return daemon


def is_ready(daemon):
    """Whether it answers as one that leads, has its definitions in force and can write."""
    # Connected anew: who takes over opens its socket anew.
    with contextlib.suppress(OSError, Failed), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(daemon.socket)
        return Connection(connection).ask("GET", "/readyz")[0] == 200
    return False


def bench_takeover(binary, server, definitions=500):
    files = sinks(out={"webhook-file": "../out"}) | events([YEAR_2099] * definitions, "out")
    kinds = [
        (signal.SIGKILL, "kill -9 of the leader, until another is ready", 12),
        (signal.SIGTERM, "end of a leader after SIGTERM, until another is ready", 1),
    ]
    with Fleet(binary, server, files, 2) as fleet:
        leader, follower = fleet.machines
        for number, name, target in kinds:
            values, count = [], runs(5)
            for run in range(count):
                # What is left of the lease depends on the last renewal.
                time.sleep(run / count * RENEWAL)
                values.append(take_over(leader, follower, number))
                leader, follower = follower, fleet.start(leader.name)
            Row(f"{name}: longest of {count}", "s", [max(values)], target).write()
            Row(f"{name}: all", "s", values).write()


def take_over(leader, follower, number):
    """Seconds from a SIGKILL, or from the end of the process after another signal, until the follower is ready."""
    ended = time.monotonic()
    leader.process.send_signal(number)
    if number != signal.SIGKILL:
        leader.process.wait(timeout=60)
        ended = time.monotonic()
    return until(lambda: is_ready(follower), f"{follower.name} is ready after {number.name}") - ended


def bench_firings(binary, server, count=20_000):
    ours, theirs = [], []
    for run in range(runs()):
        order = [(ours, server.store(server.create(), "m1")), (theirs, [])]
        for rates, options in order if run % 2 else reversed(order):
            rates.append(firings(binary, count, options))
    Row(f"{count:,} firings at one instant into a file, all settled", "1/s", ours, 0.5, more_is_better=True,
        target_is_ratio=True, reference="SQLite", reference_values=theirs).write()


def firings(binary, count, options):
    """Deliveries a second, each on the disk, from the instant until the store has the end of the last one."""
    with directory() as root:
        due, out = soon(count), root / "out.ndjson"
        files = sinks(out={"webhook-file": str(out), "sync": "always"}) | events([due] * count, "out", 10)
        with started(binary, root, files, *options) as daemon:
            sleep_until(due)
            wait_for_lines(out, count, 120)
            wait_for_outbox(daemon, delivered=count)
            return count / (time.time() - due)


class SlowReceiver(http.server.ThreadingHTTPServer):
    """Answers each webhook after 100 ms, and keeps the ids of what it got."""

    daemon_threads = True
    request_queue_size = 128

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            payload = json.loads(self.rfile.read(int(self.headers["content-length"])))
            # Being slow is what this receiver is for.
            time.sleep(0.1)
            self.server.ids.append(payload["id"])
            self.send_response(204)
            self.end_headers()

        def handle(self):
            with contextlib.suppress(ConnectionError):
                super().handle()

        def log_message(self, *_):
            pass

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.ids = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *error):
        self.shutdown()
        super().__exit__(*error)


def bench_machines(binary, server, count=1_200, many=4):
    rates = {1: [], many: []}
    for run in range(runs()):
        for machines in sorted(rates, reverse=run % 2 == 1):
            rates[machines].append(drained(binary, server, count, machines))
    Row(f"{count:,} due at a receiver that takes 100 ms, 8 at once each: {many} machines", "1/s", rates[many], 3,
        more_is_better=True, target_is_ratio=True, reference="one machine", reference_values=rates[1]).write()


def drained(binary, server, count, machines):
    """Deliveries a second that a fleet makes of what comes due at one instant."""
    with SlowReceiver() as receiver:
        hook = {"webhook": f"http://127.0.0.1:{receiver.server_port}/", "max-concurrent": 8}
        with Fleet(binary, server, sinks(hook=hook), machines) as fleet:
            due = soon(count)
            files = events([due] * count, "hook")
            for machine in reversed(fleet.machines):
                for name, text in files.items():
                    new = fleet.root / machine.name / "config" / f".{name}.new"
                    new.write_text(text)
                    new.rename(new.with_name(name))
            fleet.machines[0].item(f"e{count - 1}")
            sleep_until(due)
            until(lambda: len(receiver.ids) >= count, f"{count} deliveries", count / 10 + 60, pause=0.01)
            rate = count / (time.time() - due)
    if len(set(receiver.ids)) != count:
        raise Failed(f"machines: {len(set(receiver.ids))} deliveries instead of {count}")
    return rate


def bench_idle(binary, server, definitions=500, seconds=60):
    """By `log_statement = all`: transactions, and how often the most frequent of them comes."""
    files = sinks(out={"webhook-file": "../out"}) | events([YEAR_2099] * definitions, "out")
    with Fleet(binary, server, files, 2), server.logged() as statements:
        say(f"fleet: idle for {seconds} s")
        time.sleep(seconds)
    for machine, name in [("m1", "leader"), ("m2", "follower")]:
        own = [statement for statement in statements if statement.machine == machine]
        kinds = transactions(own)
        total = sum(len(instants) for instants in kinds.values())
        often = max(kinds.values(), key=len, default=[])
        interval = (often[-1] - often[0]) / (len(often) - 1) if len(often) > 1 else seconds
        # Its first and last one may each be late by some milliseconds.
        Row(f"idle {name}: between two of its most frequent query", "s", [round(interval, 2)], 3,
            more_is_better=True).write()
        Row(f"idle {name}: transactions in a minute", "1/min", [total * 60 / seconds]).write()
        Row(f"idle {name}: statements in a minute", "1/min", [len(own) * 60 / seconds]).write()


def transactions(statements):
    """The instants of the transactions by the statements in them; one outside of any is one of its own."""
    kinds, current = collections.defaultdict(list), {}
    for at, _, connection, sql, _ in statements:
        if sql.startswith("BEGIN"):
            current[connection] = []
        elif sql == "COMMIT":
            kinds[tuple(current.pop(connection, []))].append(at)
        elif connection in current:
            current[connection].append(sql)
        else:
            kinds[(sql,)].append(at)
    return kinds


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    benches = {"takeover": bench_takeover, "firings": bench_firings, "machines": bench_machines,
               "statements": bench_statements, "idle": bench_idle}
    with contextlib.closing(Server()) as server:
        for part in sys.argv[2:] or benches:
            say(f"fleet: {part}")
            benches[part](binary, server)


if __name__ == "__main__":
    main()
