"""The daemon that soak_watch.py runs."""

import collections
import json
import os
import pathlib
import subprocess
import threading


class Violation(Exception):
    pass


class Daemon:
    """The daemon, and what its log says is live."""

    def __init__(self, binary, root):
        self.binary, self.root = binary, root
        self.live = {}
        self.missed = 0
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [binary, "run", "--config", root / "config", "--state", root / "state", "--log-format", "json",
             "--log-level", "debug"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.log = collections.deque(maxlen=40)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            # Anything else is what the Swift runtime writes before the process ends.
            if not line.startswith(b'{"time":'):
                continue
            entry = json.loads(line)
            with self.lock:
                self.log.append(line.decode().rstrip())
                if entry["message"] in ("definitions in force", "directory content loaded"):
                    self.live |= entry
                self.missed = int(entry.get("watch.missed", self.missed))

    def state(self):
        with self.lock:
            return self.live.get("hash"), int(self.live.get("definitions", -1))

    def figures(self):
        """Resident memory in MB, and how many descriptors are open."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        resident = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS:"))
        return resident, len(os.listdir(f"/proc/{self.process.pid}/fd"))
