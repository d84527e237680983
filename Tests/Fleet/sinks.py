"""What the sinks of a fleet receive: a web server, a file on each machine, and a command that appends to one file."""

import json
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Crash"))
from surroundings import receiver
from user import nanoseconds

NAMES = ["file", "web", "command"]
# Failures pass: the web server refuses one of ten, and commands are killed.
# How long a receiver holds its answer back, so that faults meet attempts whose payload has arrived.
SLOWNESS = 0.15
RETRY = "retry: { first: 100ms, max: 1s, on: any }"


def receipt(payload, sink, line, at):
    """A payload as the checker sees it. An action is due at its occurrence, a reminder its lead earlier."""
    data = payload["data"]
    lead = int(data["before"]["seconds"] * 1_000_000_000) if "before" in data else 0
    occurrence = nanoseconds(data["occurrence"])
    return {
        "sink": sink, "line": line, "at": at, "delivery": payload["id"], "definition": payload["subject"],
        "action": payload["type"].removeprefix("tminus."), "occurrence": occurrence, "due": occurrence - lead,
        "source": payload["source"],
    }


class Sinks:
    """`receipts` are those of the files in the order of their lines, as far as `follow` has read them."""

    def __init__(self, root, machines):
        self.root, self.machines = root, machines
        self.command_file = root / "command.txt"
        self.files = {machine.out / "payloads.ndjson": ("file", machine.name) for machine in machines}
        self.files[self.command_file] = ("command", "command")
        self.offsets = dict.fromkeys(self.files, 0)
        self.receipts, self.torn = [], []
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.web = receiver(self.read_slowly)

    @staticmethod
    def read_slowly(payload):
        received = receipt(payload, "web", "web", time.time_ns())
        # Being slow is what this receiver is for.
        time.sleep(SLOWNESS)
        return received

    def __enter__(self):
        self.address, self.posted = self.web.__enter__()
        threading.Thread(target=self.follow, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.stopping.set()
        return self.web.__exit__(*error)

    def definitions(self):
        # One call writes the line, so lines of two machines are not mixed. A hook runs in the config directory of its
        # machine. It has arrived when its payload has: the daemon may be paused before it writes that.
        hook = self.root / "append.sh"
        hook.write_text(f"""machine="${{PWD%/*}}"
payload="$(cat)"\nline="$(date +%s%N) ${{machine##*/}} $payload"\nprintf '%s\\n' "$line" >>"$1"\nsleep {SLOWNESS}\n""")
        return f"""sinks:
  file: {{ webhook-file: ../out/payloads.ndjson, {RETRY} }}
  web: {{ webhook: "{self.address}", {RETRY} }}
  command: {{ exec: [/bin/sh, {hook}, {self.command_file}], {RETRY}, overlap: queue, max-concurrent: 8 }}
"""

    def follow(self):
        """Reads the files as they grow: a line that is seen before its instant was written before it."""
        while not self.stopping.wait(0.05):
            self.read()

    def read(self):
        with self.lock:
            for path, (sink, line) in self.files.items():
                self.read_file(path, sink, line)

    def read_file(self, path, sink, line):
        if not path.exists():
            return
        with open(path, "rb") as file:
            file.seek(self.offsets[path])
            data = file.read()
        now = time.time_ns()
        whole = data[:data.rfind(b"\n") + 1]
        self.offsets[path] += len(whole)
        for text in whole.splitlines():
            at, machine = now, None
            try:
                if sink == "command":
                    stamp, machine, text = text.split(b" ", 2)
                    at, machine = int(stamp), machine.decode()
                self.receipts.append({**receipt(json.loads(text), sink, line, at), "machine": machine})
            except (ValueError, KeyError):
                self.torn.append(f"{path.name}: a torn line: {text[:80]!r}")

    def all(self):
        """Everything that has arrived."""
        self.read()
        with self.lock:
            return self.receipts + sorted(self.posted, key=lambda received: received["at"])
