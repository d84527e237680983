#!/usr/bin/env python3
"""Holds the JSON of every command against its schema; `make check-schema` runs it in an environment with jsonschema.

usage: check_output.py TMINUS

Every command of TMINUS with --json must be named by exactly one schema in Examples/schemas. A daemon runs with whatever
can be in force: failing, slow and missing sinks, dead deliveries, muted, skipped, snoozed, paused and expired
definitions, stopwatches with laps, broken files. Every output must be valid. To show that an error would be seen, every
object of an output is given a member too many, and every value is replaced by null: neither may be valid.
"""

import copy
import datetime
import fcntl
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import jsonschema

from waiting import wait_for

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "schemas"

MAIN = """\
sinks:
  file: { webhook-file: @OUT@/payloads.ndjson }
  dead: { shell: 'echo out; echo no >&2; exit 3' }
  busy: { shell: exit 75, retry: { first: 1h, max: 1h } }
  closed: { webhook: 'http://127.0.0.1:1/x', timeout: 2s, retry: { first: 1h, max: 1h } }
  refusing: { webhook: 'http://127.0.0.1:@PORT@/x' }
  # Hangs, so that it is running until it is discarded.
  slow: { exec: [/bin/sleep, 600] }
  chat: { webhook: 'http://127.0.0.1:1/chat', headers: { X-Kind: '{{kind}}' }, body: '{"text": "{{message}}"}' }
defaults: { timezone: Europe/Berlin, on-failure: [file] }
events:
  launch:
    name: Launch
    description: The second version.
    color: red
    labels: { team: a, room: 'b c' }
    at: @DAY@ 09:00
    remind: [1 week, 1 day, { after: 10m, do: [file] }]
    on-reminder: [file]
    on-expiry: [file, chat]
  stand-up: { cron: '30 2 * * *', dst: skip, remind: 5 minutes }
  twice: { at: ['2027-03-28 02:30', '2027-10-31 02:30'], dst: both }
  skipping: { at: ['2027-03-28 02:30', '2027-10-31 02:30'], dst: skip }
  payday: { rrule: FREQ=MONTHLY;BYMONTHDAY=-1, start: 2026-01-31 12:00, jitter: 5m }
  off: { every: 2 days, start: 2026-12-01, enabled: false }
  over: { at: 2020-01-01 }
  muted: { cron: '* * * * * *', on-expiry: [file] }
  mutable: { at: @DAY@, remind: 1 day }
  skipped: { at: @DAY@, remind: 1 day }
  snoozed: { at: @DAY@ }
timers:
  waiting: { duration: 1h, start: manual, remind: 5m }
  running: { duration: 10h, remind: [1h, 5m], clock: wall }
  paused: { duration: 1h }
  failing: { duration: 1ms, on-expiry: [dead] }
  retrying: { duration: 1ms, on-expiry: [busy, closed] }
  refused: { duration: 1ms, on-expiry: [refusing] }
  acting: { duration: 1s, repeat: after-action, on-expiry: [slow] }
  again: { duration: 1h, repeat: immediately, count: 3 }
stopwatches:
  run: { start: auto, at-elapsed: [1ms, 30m], on-elapsed: [file] }
  still: {}
"""
SINK = "sinks: { gone: { shell: exit 75, retry: { first: 1h, max: 1h } } }\n"
GONE = "timers: { orphan: { duration: 1ms, on-expiry: [gone] } }\n"

# The members of a countdown that are null without a value.
COLUMNS = {"due", "remaining", "elapsed", "fraction", "next-reminder", "laps", "color", "file", "line"}

# Members that only a fault of the machine shows, or another machine.
UNSEEN = {"body-cut", "clock-behind", "damaged", "errors-cut", "followers", "machine", "output-cut",
          "process", "zone-data"}

DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
FORMATS = jsonschema.FormatChecker(formats=())
FORMATS.checks("date-time")(lambda value: not isinstance(value, str) or DATE_TIME.fullmatch(value) is not None)


class Schemas:
    """The schemas by command."""

    def __init__(self):
        self.names, self.validators, self.problems = {}, {}, []
        for path in sorted(SCHEMAS.glob("*.schema.json")):
            schema = json.loads(path.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            name = path.name.removesuffix(".schema.json")
            self.validators[name] = jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
            for command in schema.get("x-commands", []):
                if command in self.names:
                    self.problems.append(f"{command}: has two schemas, {self.names[command]} and {name}")
                self.names[command] = name

    def error(self, name, value):
        """The first error of a value, with its place; None if it is valid."""
        error = jsonschema.exceptions.best_match(self.validators[name].iter_errors(value))
        return error and f"{error.json_path}: {error.message[:300]}"


class Outputs:
    """What commands wrote, held against the schemas."""

    def __init__(self, schemas, tminus):
        self.schemas, self.tminus = schemas, tminus
        self.values, self.state = {}, None

    def run(self, *words, daemon=True, statuses=(0,), lines=False, keep=True):
        """The values that a command writes, and whether it ended as expected."""
        command = next(c for c in sorted(self.schemas.names, key=len, reverse=True)
                       if " ".join(words).startswith(c.removeprefix("tminus ")) or
                       (c == "tminus deliveries list" and words[0] == "deliveries" and words[1:2] not in
                        (("retry",), ("discard",))))
        options = ["--state", self.state] if daemon else []
        result = subprocess.run(
            [self.tminus, *words, *options, "--json"], capture_output=True, text=True, timeout=60, check=False)
        if result.returncode not in statuses:
            sys.exit(f"check_output: {words} ended with {result.returncode}: {result.stdout}{result.stderr}")
        values = [json.loads(text) for text in (result.stdout.splitlines() if lines else [result.stdout])]
        if keep:
            self.values.setdefault(command, []).extend((" ".join(map(str, words)), value) for value in values)
        return values if lines else values[0]

    def until(self, what, is_met, *words, **options):
        """Runs a command until its output is as wanted."""
        def seen():
            return self.run(*words, keep=False, **options)

        wait_for(lambda: is_met(seen()), 60,
                 lambda: SystemExit(f"check_output: {what} did not come about: {json.dumps(seen())[:3000]}"))


class Refusing(http.server.BaseHTTPRequestHandler):
    """A receiver that has gone."""

    def do_POST(self):
        self.send_response(410)
        self.end_headers()
        self.wfile.write(b"moved away")

    def log_message(self, *_):
        pass


def save(path, text):
    """Writes a file as an editor does."""
    path.with_name(".new").write_text(text)
    path.with_name(".new").rename(path)


def states(deliveries):
    return {(one["definition"], one["sink"], one["state"], one["attempts"]) for one in deliveries}


def collect(out, root, port):
    """Runs every command, in several states of what it shows."""
    config = root / "config"
    day = (datetime.date.today() + datetime.timedelta(days=40)).isoformat()
    main = MAIN.replace("@DAY@", day).replace("@OUT@", str(root / "out")).replace("@PORT@", str(port))
    save(config / "a.yaml", main)
    save(config / "b.yaml", SINK)
    save(config / "c.yaml", GONE)
    wanted = {("failing", "dead", "dead", 1), ("retrying", "busy", "pending", 1), ("retrying", "closed", "pending", 1),
              ("acting", "slow", "claimed", 1), ("refused", "refusing", "dead", 1), ("orphan", "gone", "pending", 1)}
    out.until("the deliveries", lambda found: wanted <= states(found), "deliveries", "-n", "1000")
    for id in ("failing", "retrying", "over", "muted"):
        out.run("why", id)
    out.until("the event", lambda found: any(one["end"] == "delivered" for one in found), "history", "muted")

    for words in [
        ("pause", "paused", "--note", "lunch"), ("pause", "run"), ("resume", "run"), ("lap", "run"), ("lap", "run"),
        ("lap", "run", "--note", "uphill"), ("start", "running", "--add", "5m"), ("start", "still"), ("stop", "still"),
        ("reset", "still"), ("skip", "skipped", "--note", "holiday"), ("snooze", "again", "10m"),
        ("mute", "mutable", "--for", "2h", "--note", "the disk"), ("mute", "muted", "--for", "2h"),
        ("timer", "45m", "Green tea"), ("stopwatch", "Morning run"),
    ]:
        out.run(*words)
    out.run("fire", "launch", "--dry-run")
    out.run("fire", "launch", "--reminder", "1 day")
    out.run("fire", "launch", "--no-wait")
    out.run("fire", "failing", statuses=(1,))
    out.run("fire", "retrying", statuses=(1,))

    # A sink that is gone, then files with every kind of problem and a mute of everything.
    (config / "b.yaml").unlink()
    (config / "c.yaml").unlink()
    out.until(
        "the missing sink", lambda found: any(one["reason"] == "missing-sink" for one in found["attention"]), "status")
    for word in ("status", "deliveries"):
        out.run(word)
    save(config / "d.yaml", "timers: { tea: { duration: 5m }, waiting: { duration: 5m } }\n")
    save(config / "e.yaml", "timers: { tea: { duratoin: 5m } }\n")
    save(config / "Notes.txt", "none\n")
    os.mkfifo(config / "pipe.yaml")
    save(config / "a.yaml", main + "wrong: 1\n")
    out.run("reload", "--wait", statuses=(65,))
    for words in [("mute", "--for", "3h", "--note", "move"), ("mute", "--for", "1h")]:
        out.run(*words)
    out.run("doctor", statuses=(65,))
    out.run("status", statuses=(65,))
    out.run("wait", "--generation", "1")
    out.until("the mute", lambda found: any(one.get("reason") == "muted" for one in found), "history", "muted")
    for listed in out.run("list"):
        for word in ("show", "history"):
            out.run(word, listed["id"])
    out.run("history", "-n", "1000")
    out.run("unmute", "mutable")
    out.run("unmute", "--note", "done")
    save(config / "a.yaml", main)

    found = out.run("deliveries", "-n", "1000")
    out.run("deliveries", "--delivery", found[0]["id"])
    dead = next(one["id"] for one in found if one["definition"] == "failing" and one["state"] == "dead")
    out.run("deliveries", "retry", dead)
    out.run("deliveries", "retry", "--sink", "closed")
    out.run("deliveries", "discard", next(one["id"] for one in found if one["state"] == "pending"))
    out.run("deliveries", "discard", "--sink", "busy")
    out.run("deliveries", "-n", "1000")
    out.run("list")
    out.run("remove", "green-tea")


def collect_alone(out, root):
    """Runs every command that needs no daemon."""
    config, other = root / "config", root / "other"
    out.run("check", str(config), daemon=False, statuses=(65,))
    out.run("next", "--config", str(config), daemon=False, statuses=(65,))
    out.run("next", "--cron", "30 9 * * *", "--before", "5m", daemon=False)
    out.run("next", "--at", "2027-03-28 02:30", "--tz", "Europe/Berlin", daemon=False)
    for name in ("d.yaml", "e.yaml", "pipe.yaml"):
        (config / name).unlink()
    shutil.copytree(config, other)
    text = (config / "a.yaml").read_text()
    save(other / "a.yaml", text.replace("1 week", "2 weeks").replace("duration: 10h", "duration: 11h").replace(
        "  over:", "  new: { cron: '0 9 * * *', on-expiry: [stdout] }\n  over:").replace("name: Launch", "name: Go")
        .replace("  again:", "  anew:").replace("30 2 * * *", "31 2 * * *").replace("exit 75", "exit 74"))
    out.run("diff", str(config), str(other), daemon=False)
    out.run("diff", str(other), str(config), daemon=False)
    out.run("diff", str(config), str(config), daemon=False)
    out.run("diff", str(other), "--config", str(config))
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    begin, down, up, end = ((now + datetime.timedelta(days, seconds)).isoformat()
                            for days, seconds in [(0, 0), (0, 5), (39, 0), (41, 0)])
    # Something each second of weeks would take a minute.
    save(config / "a.yaml", text.replace("* * * * * *", "0 * * * *").replace("1s, repeat", "1h, repeat"))
    out.run("simulate", "--config", str(config), "--from", begin, "--to", end, "--down", f"{down}/{up}",
            daemon=False, lines=True)
    # A lock file as a daemon writes it that stands by, which takes a database.
    standing = root / "standing"
    standing.mkdir(mode=0o700)
    for leader, problem, status in (("a.example.org, process 7", "", 0), ("", "it is starting up", 74)):
        with open(standing / "tminus.lock", "w", encoding="utf-8") as lock:
            lock.write(f"{os.getpid()}\n\nstands by\n{leader}\n{problem}\n")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            out.run("status", "--state", str(standing), daemon=False, statuses=(status,))
    crowd = root / "crowd"
    crowd.mkdir()
    for number in range(30):
        save(crowd / f"{number}.yaml", "timers: { tea: { duratoin: 5m } }\n")
    for place in (crowd, other):
        out.run("doctor", "--config", str(place), "--state", str(root / "alone"), daemon=False, statuses=(0, 65))
    place = ["--config", str(other)]
    out.run("add", "event", "one", f"{now.year + 1}-06-01 09:00", *place, daemon=False)
    out.run("add", "timer", "two", "4m", *place, daemon=False)
    out.run("add", "stopwatch", "three", *place, daemon=False)
    out.run("remove", "two", "--yes", *place, daemon=False)
    for editor in ("true", "sed -i s/Launch/Start/"):
        os.environ["EDITOR"] = os.environ["VISUAL"] = editor
        out.run("edit", "launch", "--config", str(config), daemon=False)


def nodes(value, path=()):
    yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from nodes(part, (*path, key))


def broken(value):
    """The value with one fault each: a member too many, or null in place of a value."""
    for path, part in nodes(value):
        whole = copy.deepcopy([value])
        holder, key = whole, 0
        for step in path:
            holder, key = holder[key], step
        if isinstance(part, dict):
            holder[key]["unforeseen"] = 1
            yield f"{path} with a member too many", whole[0]
            del holder[key]["unforeseen"]
        if part is not None and not (path and path[-1] in COLUMNS and "as-of" in holder):
            holder[key] = None
            yield f"{path} null", whole[0]


def members(schema):
    """The names of all members that a schema knows."""
    found = set()
    for _, part in nodes(schema):
        if isinstance(part, dict) and isinstance(part.get("properties"), dict):
            found |= part["properties"].keys()
    return found


def judge(out, payloads):
    """The problems of the outputs."""
    schemas = out.schemas
    problems, faults = list(schemas.problems), 0
    problems += [f"{command}: no output was collected" for command in schemas.names if command not in out.values]
    found = {}
    for command, values in out.values.items():
        found.setdefault(schemas.names[command], []).extend(values)
    found["payload"] = [("payload", value) for value in payloads]
    for name, values in found.items():
        for words, value in values:
            if error := schemas.error(name, value):
                problems.append(f"tminus {words}: {error}")
        for words, value in sorted(values, key=lambda pair: len(json.dumps(pair[1])))[-3:]:
            # Of a long list, some: they differ little.
            value = value[:12] if isinstance(value, list) else value
            for fault, wrong in broken(value):
                faults += 1
                if schemas.validators[name].is_valid(wrong):
                    problems.append(f"{name}: takes the output of 'tminus {words}' with a fault: {fault}")
    # Schemas share their parts, so a member counts wherever it is seen.
    seen = {step for values in found.values() for _, value in values for path, _ in nodes(value) for step in path}
    known = set().union(*(members(validator.schema) for validator in schemas.validators.values()))
    problems += [f"no output has '{member}'" for member in sorted(known - seen - UNSEEN)]
    count = sum(map(len, found.values()))
    return problems, f"check_output: {count} outputs of {len(out.values)} commands valid, {faults} faults seen"


def commands(command, name=""):
    """The commands below one with --json, by name."""
    name = f"{name} {command['commandName']}".strip()
    below = command.get("subcommands", [])
    if not below and any(one["name"] == "json" for argument in command.get("arguments", [])
                         for one in argument.get("names", [])):
        yield name
    for one in below:
        yield from commands(one, name)


def main(tminus):
    schemas = Schemas()
    tree = json.loads(subprocess.run([tminus, "--experimental-dump-help"], capture_output=True, check=True).stdout)
    known = set(commands(tree["command"]))
    schemas.problems += [f"{name}: has --json and no schema" for name in sorted(known - schemas.names.keys())]
    schemas.problems += [f"{name}: has a schema and no --json" for name in sorted(schemas.names.keys() - known)]

    root = pathlib.Path(tempfile.mkdtemp(prefix="tminus-output-"))
    out = Outputs(schemas, tminus)
    out.state = str(root / "state")
    for name in ("config", "out"):
        (root / name).mkdir()
    save(root / "config" / "a.yaml", "{}\n")
    with open(root / "daemon.log", "wb") as log:
        daemon = subprocess.Popen(
            [tminus, "run", "--config", root / "config", "--state", out.state, "--listen", "127.0.0.1:0"],
            stdout=log, stderr=log, env=os.environ | {"TMINUS_PROFILE": "strict"})
    try:
        wait = [tminus, "wait", "--state", out.state]
        wait_for(lambda: subprocess.run(wait, capture_output=True, check=False).returncode == 0, 60,
                 lambda: SystemExit("check_output: the daemon did not start"), daemon)
        with http.server.HTTPServer(("127.0.0.1", 0), Refusing) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            collect(out, root, server.server_port)
            server.shutdown()
        collect_alone(out, root)
        payloads = [json.loads(line) for line in (root / "out" / "payloads.ndjson").read_text().splitlines()]
    except SystemExit:
        print((root / "daemon.log").read_text()[-20_000:], file=sys.stderr)
        raise
    finally:
        if daemon.poll() is None:
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(40)
            except subprocess.TimeoutExpired:
                daemon.kill()
        shutil.rmtree(root)
    problems, summary = judge(out, payloads)
    if problems:
        sys.exit("\n".join([*problems, "check_output: failed"]))
    print(summary)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
