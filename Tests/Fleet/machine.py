"""One machine of a fleet: a daemon with a state directory and a copy of the definitions of its own, started again as
systemd does."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time

# The daemon ends with this status when another has taken over, or the database does not answer at its start.
NO_STORE = 74
RESTART = 1.0
# The backtrace of a debug build takes a minute, in which the daemon that ended would not be started again.
ENVIRONMENT = {"SWIFT_BACKTRACE": "enable=no", **os.environ}


class Connection(http.client.HTTPConnection):
    """HTTP on a Unix socket."""

    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Machine:
    """`is_busy` while a fault of it lasts. Its daemon is kept running by `keep`, unless `is_down`."""

    def __init__(self, number, root, binary, proxy, is_expected=lambda status: False):
        self.name = f"m{number}"
        self.directory = root / self.name
        self.config, self.state = self.directory / "config", self.directory / "state"
        self.out = self.directory / "out"
        for directory in (self.config, self.out):
            directory.mkdir(parents=True)
        self.binary, self.proxy = binary, proxy
        self.process = None
        self.is_busy = self.is_down = False
        self.restart_at = 0.0
        # Whether a status is no problem, and how often the daemon ended by itself because it had lost the database.
        self.is_expected = is_expected
        self.problems, self.gave_up = [], 0

    def start(self):
        self.is_down = False
        address = f"postgresql://tminus@127.0.0.1:{self.proxy.port}/postgres?sslmode=disable&gssencmode=disable"
        words = [
            self.binary, "run", "--config", self.config, "--state", self.state, "--standby", "--fleet", "fleet",
            "--store", address,
        ]
        with open(self.directory / "stdout.txt", "ab") as output, open(self.log, "ab") as log:
            # It ends with this process, however that ends. Ctrl-C is for this process only.
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *words], stdin=subprocess.DEVNULL, stdout=output, stderr=log,
                start_new_session=True, env=ENVIRONMENT,
            )

    @property
    def log(self):
        return self.directory / "log.txt"

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def send(self, number):
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    def kill(self):
        self.is_down = True
        self.send(signal.SIGCONT)
        self.send(signal.SIGKILL)
        self.process.wait(timeout=60)

    def keep(self):
        """Starts the daemon again if it ended by itself, a second later."""
        if self.is_down or self.is_running():
            return
        if self.restart_at == 0:
            self.note_end(self.process.returncode)
            self.restart_at = time.monotonic() + RESTART
        elif time.monotonic() >= self.restart_at:
            self.restart_at = 0.0
            self.start()

    def note_end(self, status):
        if status == NO_STORE:
            self.gave_up += 1
        elif not self.is_expected(status):
            self.problems.append(f"{self.name}: the daemon ended with status {status}{self.last_words(status)}")

    def last_words(self, status):
        """What a daemon that a signal ended said before."""
        lines = self.log.read_text(errors="replace").splitlines() if status < 0 else []
        return next((f": {line}" for line in reversed(lines) if "Fatal error" in line), "")

    def ask(self, method, path, body=None, timeout=10.0):
        """The status and the object that the daemon answers; None without an answer."""
        answer = self.exchange(method, path, body, timeout)
        try:
            return None if answer is None else (answer[0], json.loads(answer[1] or b"null"))
        except ValueError:
            return None

    def exchange(self, method, path, body=None, timeout=10.0):
        """The status and the bytes that the daemon answers; None without an answer."""
        connection = Connection(self.state / "control.sock", timeout)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def readiness(self):
        """What it says of itself in a line; None without an answer."""
        answer = self.exchange("GET", "/readyz", timeout=1.0) if self.is_running() else None
        return None if answer is None else answer[1].decode().strip()

    def leads(self):
        """Whether it answers as a leader."""
        return self.readiness() not in (None, "not ready: stands by")

    def write(self, name, text):
        """Saves a definition file as editors do, or removes it."""
        place = self.config / name
        if text is None:
            place.unlink(missing_ok=True)
            return
        new = self.config / f".{name}.new"
        new.write_text(text)
        os.replace(new, place)

    def keep_evidence(self, directory):
        for file in self.directory.glob("*.txt"):
            shutil.copy(file, directory / f"{self.name}-{file.name}")
