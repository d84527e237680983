#!/usr/bin/env python3
"""Holds /metrics of a running daemon against the parsers of others; `make check-metrics` runs it in an environment that
has them.

usage: check_metrics.py TMINUS

Starts TMINUS on a directory of its own with ten sinks, and waits
until all deliveries have ended. `promtool check metrics` must accept the text format without a complaint,
`prometheus_client` must read both formats and find the same in them, and the counters must agree with the rows of the
store. Then `promtool check config` tries the jobs of the article, `promtool test rules` the rules of
Examples/prometheus, and `promtool check rules` each query of the dashboard in Examples/grafana; both may name only
metrics that the article Metrics has.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from waiting import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINKS = 10
TIMERS = 30
CONFIG = "sinks:\n" + "".join(
    f"  sink-{number}: {{exec: [/bin/sh, -c, 'exit {0 if number else 1}']}}\n" for number in range(SINKS)
) + "timers:\n" + "".join(
    f"  t{number}: {{duration: 1ms, on-expiry: [sink-{number % SINKS}]}}\n" for number in range(TIMERS)
) + "  waiting: {duration: 1h, start: manual}\n  slow: {duration: 30m, remind: [5m]}\n"
LIMIT = 120


def get(port, path, accept=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Accept": accept} if accept else {})
    answer = connection.getresponse()
    body = answer.read().decode()
    assert answer.status == 200, f"{path}: {answer.status} {body}"
    return answer.headers["content-type"], body


def samples(families):
    """The samples by name and labels."""
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in families for sample in family.samples}


def missing(what):
    return lambda: AssertionError(f"no {what} within {LIMIT} s")


def port_of(log):
    found = re.search(r"HTTP open.*127\.0\.0\.1:(\d+)", log.read_text())
    return int(found[1]) if found else None


def outcomes(port):
    found = samples(parse_text(get(port, "/metrics")[1]))
    counts = {}
    for (name, labels), value in found.items():
        if name == "tminus_deliveries_total":
            counts[dict(labels)["outcome"]] = counts.get(dict(labels)["outcome"], 0) + int(value)
    return counts if sum(counts.values()) >= TIMERS else None


def promtool(*arguments, **options):
    return subprocess.run(["promtool", *arguments], text=True, capture_output=True, check=False, **options)


# What changes between two scrapes.
MOVING = ("tminus_scrape_duration", "process_", "tminus_store_", "tminus_scheduler_", "tminus_http_", "tminus_log_")


def check_formats(port):
    media, text = get(port, "/metrics", "text/plain")
    assert media == "text/plain; version=0.0.4; charset=utf-8", media
    told = promtool("check", "metrics", input=text)
    assert told.returncode == 0 and not told.stdout + told.stderr, f"promtool: {told.stdout}{told.stderr}"
    media, other = get(port, "/metrics", "application/openmetrics-text; version=1.0.0")
    assert media == "application/openmetrics-text; version=1.0.0; charset=utf-8", media
    plain, strict = samples(parse_text(text)), samples(openmetrics.text_string_to_metric_families(other))
    assert plain.keys() == strict.keys(), sorted(plain.keys() ^ strict.keys())
    for key, value in plain.items():
        assert key[0].startswith(MOVING) or strict[key] == value, f"{key}: {value}, {strict[key]}"
    assert len(plain) < 1000, f"{len(plain)} series"
    assert len(text.encode()) < 64 << 10, f"{len(text.encode())} bytes"
    for accept in ("text/plain", "application/openmetrics-text"):
        media, body = get(port, "/metrics/definitions", accept)
        reader = parse_text if accept == "text/plain" else openmetrics.text_string_to_metric_families
        found = samples(reader(body))
        ids = {dict(labels)["id"] for name, labels in found if labels}
        assert len(ids) == TIMERS + 2, f"{len(ids)} definitions"
    told = promtool("check", "metrics", input=get(port, "/metrics/definitions", "text/plain")[1])
    assert told.returncode == 0 and not told.stdout + told.stderr, f"promtool: {told.stdout}{told.stderr}"
    times = []
    for _ in range(20):
        begun = time.perf_counter()
        get(port, "/metrics")
        times.append((time.perf_counter() - begun) * 1000)
    print(f"check_metrics: {len(plain)} series, {len(text.encode())} bytes, {statistics.median(times):.1f} ms a scrape")


def check_store(port, state):
    counts = wait_for(lambda: outcomes(port), LIMIT, missing("ends of all deliveries"))
    with contextlib.closing(sqlite3.connect(f"file:{state}/tminus.sqlite?mode=ro", uri=True)) as store:
        rows = dict(store.execute("SELECT state, count(*) FROM delivery GROUP BY state"))
    assert {state: count for state, count in counts.items() if count} == rows, f"{counts}, but the store has {rows}"


def queries(part):
    """All queries of a part of a dashboard."""
    if isinstance(part, list):
        return [query for one in part for query in queries(one)]
    if isinstance(part, dict):
        return [query for key, one in part.items() for query in ([one] if key == "expr" else queries(one))]
    return []


def check_prometheus_files():
    """Checks that Prometheus accepts the jobs, rules and queries, and that they name only documented metrics."""
    article = (ROOT / "Sources/TminusCore/TminusCore.docc/Metrics.md").read_text()
    jobs = re.search(r"^```yml\n(scrape_configs:.*?)^```$", article, re.M | re.S)[1]
    configured = promtool("check", "config", "/dev/stdin", input=jobs)
    print(configured.stdout + configured.stderr, end="")
    told = promtool("test", "rules", "tminus.rules.test.yaml", cwd=ROOT / "Examples/prometheus")
    print(told.stdout + told.stderr, end="")
    asked = queries(json.loads((ROOT / "Examples/grafana/tminus.json").read_text()))
    assert len(asked) > 20, f"{len(asked)} queries in the dashboard"
    # What Grafana puts in the place of its variables.
    filled = [query.replace("$instance", "a|b").replace("$__rate_interval", "1m") for query in asked]
    rules = [{"record": f"panel:{place}", "expr": query} for place, query in enumerate(filled)]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        # JSON is YAML.
        json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
        file.flush()
        panels = promtool("check", "rules", file.name)
    print(panels.stdout.replace(file.name, "the dashboard") + panels.stderr, end="")
    known = set(re.findall(r"^\| `(\w+)[{`]", article, re.M))
    text = " ".join(filled) + (ROOT / "Examples/prometheus/tminus.rules.yaml").read_text()
    named = {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"\b(?:tminus|process)_\w+", text)}
    assert named <= known, f"the examples name unknown metrics: {sorted(named - known)}"
    return max(configured.returncode, told.returncode, panels.returncode)


def main(tminus):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="tminus-metrics-"))
    config, state = scratch / "config", scratch / "state"
    config.mkdir()
    state.mkdir(mode=0o700)
    (config / "all.yaml").write_text(CONFIG)
    log = scratch / "daemon.log"
    with open(log, "wb") as output:
        daemon = subprocess.Popen(
            [tminus, "run", "--config", config, "--state", state, "--listen", "127.0.0.1:0"],
            stdout=output, stderr=output)
    try:
        port = wait_for(lambda: port_of(log), LIMIT, missing("open port"))
        check_store(port, state)
        check_formats(port)
    except (AssertionError, OSError, ValueError) as error:
        print(f"check_metrics: {error}", file=sys.stderr)
        return 1
    finally:
        daemon.send_signal(signal.SIGTERM)
        try:
            daemon.wait(40)
        except subprocess.TimeoutExpired:
            daemon.kill()
        shutil.rmtree(scratch)
    try:
        return check_prometheus_files()
    except AssertionError as error:
        print(f"check_metrics: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
