#!/usr/bin/env python3
"""Holds the counters of a running daemon against what it wrote; `make check-metrics` runs it.

usage: check_counters.py TMINUS [TIMERS]

Starts TMINUS with TIMERS (default 2500) timers, each of which has four sinks: a file, standard output, a server that
refuses one of ten, and a port at which nobody listens. The daemon is killed in the middle, and starts again. When all
deliveries have ended, the counters of /metrics must agree with what each life has written to the store, and with what
arrived. Of the killed life, what was counted must have been written.
"""

import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Crash"))
from surroundings import receiver
from waiting import wait_for

# Seconds in which all deliveries end, on a busy machine.
LIMIT = 180
# The states of deliveries that have ended here.
ENDS = ("delivered", "dead")


def missing(what):
    return lambda: AssertionError(f"no {what} within {LIMIT} s")


def config(scratch, timers, address):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = closed.getsockname()[1]
    # Not all at once: what is late is not counted otherwise, but takes longer.
    lines = [f"  t{number}: {{duration: {3000 + number * 2}ms}}" for number in range(timers)]
    return f"""\
sinks:
  file: {{webhook-file: {scratch}/payloads.ndjson}}
  lines: {{stdout: , format: json}}
  web: {{webhook: "{address}", retry: {{first: 100ms, max: 1s, on: any}}}}
  nobody: {{webhook: "http://127.0.0.1:{nobody}/", retry: {{limit: 2, first: 100ms, on: any}}}}
defaults: {{on-expiry: [file, lines, web, nobody]}}
timers:
""" + "\n".join(lines) + "\n"


class Written:
    """What the store holds."""

    def __init__(self, state):
        self.ended, self.attempts, self.total, self.begun = collections.Counter(), collections.Counter(), 0, 0
        query = "SELECT sink, state, count(*), sum(attempt), sum(attempt > 0) FROM delivery GROUP BY sink, state"
        with contextlib.closing(
            sqlite3.connect(f"file:{state}/tminus.sqlite?mode=ro", uri=True, timeout=30)
        ) as store:
            for sink, outcome, count, attempts, begun in store.execute(query):
                if outcome in ENDS:
                    self.ended[sink, outcome] = count
                self.attempts[sink] += attempts
                self.total += count
                self.begun += begun


class Life:
    """One run of the daemon, from a start to its end."""

    def __init__(self, tminus, scratch, lines):
        log = scratch / "log"
        with open(log, "wb") as errors:
            self.daemon = subprocess.Popen(
                [tminus, "run", "--config", scratch / "config", "--state", scratch / "state",
                 "--listen", "127.0.0.1:0"], stdout=lines, stderr=errors)
        try:
            self.port = wait_for(lambda: re.search(r"HTTP open.*127\.0\.0\.1:(\d+)", log.read_text()),
                                 LIMIT, missing("open port"))[1]
        except AssertionError:
            self.end(signal.SIGKILL)
            raise

    def samples(self):
        """The samples of /metrics, by name and labels as written."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}

    def wait_for_ended(self, count):
        """Waits until so many deliveries have ended in this life."""
        wait_for(lambda: total(self.samples(), "tminus_deliveries_total{") >= count,
                 LIMIT, missing("end of deliveries"))

    def end(self, number):
        self.daemon.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.daemon.wait(40)
        self.daemon.kill()
        self.daemon.wait()


def total(found, prefix):
    return sum(value for name, value in found.items() if name.startswith(prefix))


def differences(found, before, after):
    """How the counters of a life differ from what it has written: `after` without `before`."""

    def same(name, value, wanted):
        return [] if value == wanted else [f"{name}: {value:g}, not {wanted:g}"]

    wrong = []
    for sink, outcome in after.ended:
        count = after.ended[sink, outcome] - before.ended[sink, outcome]
        for name in (f'tminus_deliveries_total{{sink="{sink}",outcome="{outcome}"}}',
                     f'tminus_delivery_attempts_total{{sink="{sink}",result="{outcome}"}}'):
            wrong += same(name, found.get(name, 0), count)
        prefix = f'tminus_delivery_attempts_total{{sink="{sink}"'
        wrong += same(f"{prefix},...}}", total(found, prefix), after.attempts[sink] - before.attempts[sink])
    fired = (after.total - before.total) / 4
    wrong += same("firings", found['tminus_firings_total{action="expiry"}'], fired)
    lateness = found['tminus_delivery_lateness_seconds_count{action="expiry"}']
    wrong += same("first attempts", lateness, after.begun - before.begun)
    dead = sum(count for (_, outcome), count in after.ended.items() if outcome == "dead")
    wrong += same("dead", found['tminus_outbox_deliveries{state="dead"}'], dead)
    wrong += same("pending", found.get('tminus_outbox_deliveries{state="pending"}', 0), 0)
    return wrong


def ahead(found, wanted, written):
    """The counters of the first life, read before it was killed, that are ahead of what it has written."""
    wrong = []
    for sink, outcome in wanted:
        count = written.ended[sink, outcome]
        counted = found.get(f'tminus_deliveries_total{{sink="{sink}",outcome="{outcome}"}}', 0)
        if counted > count:
            wrong.append(f"{sink}, {outcome}: {counted:g} counted, {count} written")
    return wrong


def lives(tminus, scratch, timers, posted):
    """A life that is killed when half of the deliveries have ended, and one that delivers the rest."""
    state, lines = scratch / "state", scratch / "lines"
    wanted = {(sink, "delivered"): timers for sink in ("file", "lines", "web")} | {("nobody", "dead"): timers}
    with open(lines, "ab") as output:
        life = Life(tminus, scratch, output)
        try:
            life.wait_for_ended(2 * timers)
            found = life.samples()
        finally:
            life.end(signal.SIGKILL)
        killed = Written(state)
        assert killed.ended.total() < 4 * timers, "all deliveries had ended before the kill"
        wrong = ahead(found, wanted, killed)
        life = Life(tminus, scratch, output)
        try:
            life.wait_for_ended(4 * timers - killed.ended.total())
            found, after = life.samples(), Written(state)
        finally:
            life.end(signal.SIGTERM)
    wrong += differences(found, killed, after)
    if after.ended != wanted:
        wrong.append(f"the store has {dict(after.ended)}")
    # What ran when the process was killed may arrive twice, with the same id.
    arrived = {"web": posted}
    for sink, file in [("file", scratch / "payloads.ndjson"), ("lines", lines)]:
        arrived[sink] = [payload["id"] for payload in map(json.loads, file.read_text().splitlines()) if "id" in payload]
    wrong += [f"{len(set(ids))} arrived at {sink}" for sink, ids in arrived.items() if len(set(ids)) != timers]
    assert not wrong, "\n".join(wrong)
    repeated = sum(len(ids) - len(set(ids)) for ids in arrived.values())
    return f"{killed.ended.total()} of {4 * timers} deliveries before a kill, the rest after it, {repeated} repeated"


def main(tminus, timers):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="tminus-counters-"))
    (scratch / "config").mkdir()
    (scratch / "state").mkdir(mode=0o700)
    try:
        with receiver(lambda payload: payload["id"]) as (address, posted):
            (scratch / "config" / "all.yaml").write_text(config(scratch, timers, address))
            result = lives(tminus, scratch, timers, posted)
    except (AssertionError, OSError, ValueError, sqlite3.Error) as error:
        print(f"check_counters: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(scratch)
    print(f"check_counters: {result}: the counters agree with the store")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 2500))
