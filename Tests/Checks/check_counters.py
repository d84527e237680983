#!/usr/bin/env python3
"""Holds the counters of a running daemon against what it wrote; `make check-metrics` runs it.

usage: check_counters.py TMINUS [TIMERS]

Starts TMINUS with TIMERS (default 2500) timers, each of which has four sinks: a file, standard output, a server that
refuses one of ten, and a port at which nobody listens. When all deliveries have ended, the counters of /metrics must
agree with the rows of the store and with what arrived.
"""

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


def samples(port):
    """The samples of /metrics, by name and labels as written."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


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


def rows(state, query):
    with contextlib.closing(sqlite3.connect(f"file:{state}/tminus.sqlite?mode=ro", uri=True, timeout=30)) as store:
        return store.execute(query).fetchall()


def check(found, state, timers, arrived):
    """Every counter of deliveries against the store, and the store against what arrived."""
    wrong = []

    def same(name, wanted):
        if found.get(name, 0) != wanted:
            wrong.append(f"{name}: {found.get(name, 0):g}, not {wanted}")

    ended = {}
    for sink, outcome, count, attempts in rows(
        state, "SELECT sink, state, count(*), sum(attempt) FROM delivery GROUP BY sink, state"
    ):
        ended[sink, outcome] = count
        same(f'tminus_deliveries_total{{sink="{sink}",outcome="{outcome}"}}', count)
        last = {"delivered": "delivered", "dead": "dead"}[outcome]
        same(f'tminus_delivery_attempts_total{{sink="{sink}",result="{last}"}}', count)
        retried = sum(value for name, value in found.items()
                      if name.startswith(f'tminus_delivery_attempts_total{{sink="{sink}"'))
        if retried != attempts:
            wrong.append(f"{sink}: {retried:g} attempts, but {attempts} in the store")
    same('tminus_firings_total{action="expiry"}', timers)
    same('tminus_outbox_deliveries{state="dead"}', timers)
    same('tminus_outbox_deliveries{state="pending"}', 0)
    same('tminus_delivery_lateness_seconds_count{action="expiry"}', 4 * timers)
    wanted = {(sink, "delivered"): timers for sink in ("file", "lines", "web")} | {("nobody", "dead"): timers}
    if ended != wanted:
        wrong.append(f"the store has {ended}")
    for sink, count in arrived.items():
        if count != timers:
            wrong.append(f"{count} arrived at {sink}")
    assert not wrong, "\n".join(wrong)


def main(tminus, timers):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="tminus-counters-"))
    state, log, lines = scratch / "state", scratch / "log", scratch / "lines"
    (scratch / "config").mkdir()
    state.mkdir(mode=0o700)
    with receiver() as (address, posted), open(log, "wb") as errors, open(lines, "wb") as output:
        (scratch / "config" / "all.yaml").write_text(config(scratch, timers, address))
        daemon = subprocess.Popen(
            [tminus, "run", "--config", scratch / "config", "--state", state, "--listen", "127.0.0.1:0"],
            stdout=output, stderr=errors)
        try:
            port = wait_for(lambda: re.search(r"HTTP open.*127\.0\.0\.1:(\d+)", log.read_text()),
                            LIMIT, missing("open port"))[1]

            def ended():
                found = samples(port)
                total = sum(value for name, value in found.items() if name.startswith("tminus_deliveries_total{"))
                return total >= 4 * timers

            wait_for(ended, LIMIT, missing("end of all deliveries"))
            arrived = {"file": len((scratch / "payloads.ndjson").read_text().splitlines()), "web": len(posted)}
            arrived["lines"] = sum("id" in json.loads(line) for line in lines.read_text().splitlines())
            found = samples(port)
            check(found, state, timers, arrived)
        except (AssertionError, OSError, ValueError) as error:
            print(f"check_counters: {error}", file=sys.stderr)
            return 1
        finally:
            daemon.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                daemon.wait(40)
            daemon.kill()
            daemon.wait()
            shutil.rmtree(scratch)
    retries = sum(value for name, value in found.items() if "attempts_total" in name and 'result="retry"' in name)
    print(f"check_counters: {4 * timers} deliveries, {timers} dead, {retries:g} retries, as in the store")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 2500))
