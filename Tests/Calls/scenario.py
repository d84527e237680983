"""One scripted run of a daemon: what is configured, what happens in each of its lives, and what arrives."""

import contextlib
import datetime
import http.client
import json
import pathlib
import socket
import sqlite3
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Crash"))
from surroundings import what

# Seconds after which a daemon without a word hangs, on a busy machine.
LIMIT = 60
# The same for its stop, which ends within 30 s whatever does not answer.
STOP_LIMIT = 45
# Seconds for which a life goes on after it has named the fault, to see whether it is made good.
PATIENCE = 3
RETRY = "retry: { first: 100ms, max: 300ms, on: any }, overlap: queue"
ALL = ("file", "web", "command")
# What must arrive, by definition: the sinks of its expiry.
FIRST_LIFE = {"t1": ALL, "held": ALL, "seen": ALL, "put": ALL, "made": ALL}
SECOND_LIFE = {"later": ALL}
# What is of use at its instant only: it arrives, or the daemon records that it was past.
DATED = {("file", "t1", "reminder"), ("file", "e1", "expiry")}


class Connection(http.client.HTTPConnection):
    """HTTP to a Unix-domain socket."""

    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


def counts(path):
    """How often each kind was called, as the library wrote it."""
    if not path.exists():
        return {}
    return {name.rstrip(b"\0").decode(): count for name, count in struct.iter_unpack("24sQ", path.read_bytes())}


class Life:
    """What was seen of one life of the daemon."""

    def __init__(self, number):
        self.number = number
        self.status = None
        self.is_hung = False
        self.is_complete = False
        # What the control socket refused or did not answer: the operation and the words.
        self.refused = []
        self.log = ""


class Scenario:
    """The directory of a run, and its lives."""

    def __init__(self, root, receiver):
        self.root, self.receiver = root, receiver
        self.config, self.state = root / "config", root / "state"
        self.name = root.name
        self.has_asked = self.has_started = False
        self.saved = set()
        # What was told to be done, and then was not.
        self.broken_promises = []
        self.config.mkdir(parents=True)
        hook = root / "hook.sh"
        hook.write_text(f'echo "$TMINUS_ID $TMINUS_ACTION $TMINUS_BEFORE $TMINUS_DELIVERY" >>{root}/commands\n')
        # Late enough to be read before it is past.
        event = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=1)
        (self.config / "a.yaml").write_text(f"""\
defaults: {{on-expiry: [file, web, command], on-reminder: [file]}}
sinks:
  file: {{webhook-file: {root}/payloads, {RETRY}}}
  web: {{webhook: "{receiver.address(self.name)}", {RETRY}}}
  command: {{exec: [/bin/sh, {hook}], {RETRY}}}
timers:
  t1: {{duration: 500ms, remind: 250ms}}
  held: {{duration: 100ms, start: manual}}
events:
  e1: {{at: "{event:%Y-%m-%dT%H:%M:%S.%f}Z", on-expiry: file}}
""")
        (self.config / "put.yaml").write_text(self.definition("put", "1h"))

    @staticmethod
    def definition(name, duration):
        return f"defaults: {{on-expiry: [file, web, command]}}\ntimers: {{{name}: {{duration: {duration}}}}}\n"

    def run(self, life, program, environment):
        """One life: from its start to its end."""
        seen = Life(life)
        if life > 1:
            (self.config / "d.yaml").write_text(self.definition("later", "100ms"))
        log = self.root / f"log.{life}"
        with open(log, "wb") as file:
            process = subprocess.Popen(
                [program, "run", "--config", self.config, "--state", self.state], stdout=file, stderr=file,
                env=environment)
        try:
            if self.is_ready(process, log):
                self.act(seen)
                seen.is_complete = self.arrive(process, log, seen)
            self.stop(process, seen)
        finally:
            if process.poll() is None:
                process.kill()
            seen.status = process.wait()
            seen.log = log.read_text(errors="replace")
        return seen

    def is_ready(self, process, log):
        end = time.monotonic() + LIMIT
        while process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if self.ask("GET", "/readyz")[0] == 200:
                    return True
            if trouble(log.read_text(errors="replace")):
                # It has said what is wrong, and may not become ready by itself.
                end = min(end, time.monotonic() + PATIENCE)
            # A daemon with a fault may say nothing: ask again, and look whether it still runs.
            time.sleep(0.05)
        return False

    def ask(self, method, path, body=None, fields=None):
        connection = Connection(self.state / "control.sock", LIMIT)
        with contextlib.closing(connection):
            connection.request(method, path, body, fields or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers

    def act(self, seen):
        """An edit by a plain write, a control, and two edits by the control socket, unless they were done before."""
        if not (self.config / "b.yaml").exists():
            (self.config / "b.yaml").write_text(self.definition("seen", "100ms"))
        if not self.has_started:
            self.has_started = self.do(seen, "start", self.start)
        for name, act in [("put", self.put), ("made", self.make)]:
            if not self.has_text(name):
                if name in self.saved:
                    self.broken_promises.append(f"{name}.yaml does not have the text that was saved")
                if self.do(seen, f"save {name}", act):
                    self.saved.add(name)

    def has_text(self, name):
        """Whether a file that is saved by the control socket has its new text."""
        path = self.config / f"{name}.yaml"
        return path.exists() and path.read_text() == self.definition(name, "100ms")

    @staticmethod
    def do(seen, name, act):
        """Whether an act was told to be done. A connection that breaks is tried once more, as a person would."""
        for _ in range(2):
            try:
                status, words = act()
                break
            except (OSError, http.client.HTTPException) as error:
                status, words = 0, f"no answer: {error!r}"
        if status != 200:
            seen.refused.append((name, f"{status} {words}"))
        return status == 200

    def start(self):
        if self.has_asked:
            # There was no answer to the first: it may have started, and ended.
            status, words, _ = self.ask("GET", "/items/held")
            if status != 200 or json.loads(words)["state"] != "idle":
                return status, words
        self.has_asked = True
        return self.ask("POST", "/items/held/start")[:2]

    def put(self):
        if self.has_text("put"):
            return 200, ""
        status, words, fields = self.ask("GET", "/file?path=put.yaml")
        if status != 200:
            return status, words
        return self.save("put", {"If-Match": fields["ETag"]})

    def make(self):
        return (200, "") if self.has_text("made") else self.save("made", {"If-None-Match": "*"})

    def save(self, name, fields):
        status, words, _ = self.ask("PUT", f"/file?path={name}.yaml", self.definition(name, "100ms"), fields)
        return 200 if status == 201 else status, words

    def arrive(self, process, log, seen):
        """Waits until everything is there; once the daemon has named a fault, only a little longer."""
        end = time.monotonic() + LIMIT
        while process.poll() is None and time.monotonic() < end:
            if not self.missing(seen.number):
                return True
            if seen.refused or trouble(log.read_text(errors="replace")):
                end = min(end, time.monotonic() + PATIENCE)
            # What arrives is in files and in a store, which tell nobody: look again.
            time.sleep(0.05)
        return not self.missing(seen.number)

    @staticmethod
    def stop(process, seen):
        process.terminate()
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            seen.is_hung = True

    def arrived(self):
        """For each sink the (definition, action, lead) and the id of every payload, and the lines that are torn."""
        result, torn = {"file": [], "web": [], "command": []}, []
        payloads, commands = self.root / "payloads", self.root / "commands"
        lines = [("file", line) for line in payloads.read_bytes().split(b"\n")] if payloads.exists() else []
        lines += [("web", body) for body in self.receiver.posted.get(f"/{self.name}", [])]
        for sink, line in lines:
            if line:
                try:
                    result[sink].append(what(json.loads(line)))
                except ValueError:
                    torn.append(f"{sink}: {line[:60]!r}")
        for line in commands.read_text().splitlines() if commands.exists() else []:
            row = line.split(" ")
            if len(row) == 4:
                result["command"].append(((row[0], row[1], row[2]), row[3]))
            else:
                torn.append(f"command: {line[:60]!r}")
        return result, torn

    def missing(self, life):
        """What must have arrived after this life, and has not: the sink, the definition and the action."""
        there = {(sink, key[0], key[1]) for sink, rows in self.arrived()[0].items() for key, _ in rows}
        wanted = FIRST_LIFE | (SECOND_LIFE if life > 1 else {})
        missing = {(sink, name, "expiry") for name, sinks in wanted.items() for sink in sinks} - there
        # Looking into the store costs more, and is of use only at the end.
        return missing or {item for item in DATED - there if not self.is_past(item)} or self.unsettled()

    def unsettled(self):
        """The deliveries of which the daemon does not know yet that they were taken."""
        with contextlib.suppress(sqlite3.Error):
            return set(self.rows("SELECT sink, definition, state FROM delivery WHERE settled IS NULL"))
        return set()

    def is_past(self, item):
        """Whether the daemon recorded that this was past when it could have been sent."""
        _, name, action = item
        kind = "before" if action == "reminder" else action
        with contextlib.suppress(sqlite3.Error):
            return (name, kind) in {(definition, words.split(":")[0]) for definition, words in self.rows(
                "SELECT definition, action FROM omission UNION ALL "
                "SELECT f.definition, f.action FROM firing f JOIN delivery d ON d.firing = f.id "
                "WHERE d.state = 'expired' AND f.kind <> 'expiry'")}
        return False

    def rows(self, query):
        """The rows of the daemon's own store."""
        path = self.state / "tminus.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as store:
            return store.execute(query).fetchall()


def trouble(log):
    """The lines in which a daemon says that something is wrong, and those that are not of the log."""
    quiet = (": notice: ", ": info: ", ": debug: ", " notice: ", " info: ", " debug: ")
    return [line for line in log.splitlines() if line and not any(word in line for word in quiet)]
