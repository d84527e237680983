"""A directory that stands for the machine of a reader, with a daemon, for check_examples.py."""

import base64
import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.request
from typing import ClassVar

from waiting import wait_for

# Seconds that a command, or what a daemon does by itself, may take on a busy machine.
LIMIT = 120
SECRET = "whsec_" + base64.b64encode(b"0123456789abcdefghijklmn").decode()
LAUNCH = """\
sinks:
  team-chat:
    webhook: @URL@
    headers: { Content-Type: application/json, Authorization: { env: CHAT_SECRET } }
    body: '{"text": "{{message}}"}'
    retry: { first: 1h, max: 1h }
  receiver: { webhook: @URL@receive, secret: { env: CHAT_SECRET } }
timers:
  tea: { duration: 4m, start: manual }
  cool-down: { duration: 4m, start: manual }
  signed: { duration: 4m, start: manual, on-expiry: [receiver] }
events:
  launch:
    name: Product launch
    at: 2099-12-01 09:00
    on-expiry:
"""
CRONTAB = "".join("@reboot a\n" if line == 7 else f"{line} 3 * * * echo {line}\n" for line in range(1, 14))


class Failure(Exception):
    """An example that does not do what its text says."""


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers /receive by the function of the article, and all else by 503."""

    receive: ClassVar = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(type(self).receive(self.headers, body) if self.path == "/receive" else 503)
        self.end_headers()

    def log_message(self, *_):
        """Says nothing."""


class Machine:
    """A directory that stands for a machine, with a daemon in it. `url` is that of the receiver of its webhooks."""

    def __init__(self, program, url, database):
        self.root, self.database = pathlib.Path(tempfile.mkdtemp(prefix="tminus-examples-")), database
        self.daemon, self.port, self.session = None, 0, ""
        self.config, self.state = self.root / "etc/tminus", self.root / "var/lib/tminus"
        for name in ("etc/tminus/hooks", "var/backups", "run/tminus", "bin", "new", ".config/tminus", ".local/state"):
            (self.root / name).mkdir(parents=True)
        self.state.mkdir(mode=0o700, parents=True)
        for link, target in (("config", self.config), ("timers", self.config), (".local/state/tminus", self.state)):
            (self.root / link).symlink_to(target)
        (self.root / "bin/tminus").symlink_to(program)
        self.write("etc/tminus/hooks/launch.sh", "#!/bin/sh\n", 0o755)
        self.write("bin/crontab", f"#!/bin/sh\ncat <<'END'\n{CRONTAB}END\n", 0o755)
        text = LAUNCH.replace("@URL@", url)
        # The article names the line of the hook.
        text += "\n" * (26 - text.count("\n")) + "      - shell: ./hooks/launch.sh\n      - team-chat\n"
        self.write("etc/tminus/launch.yaml", text)
        self.write("etc/tminus/a.yaml", "timers: {}\n")
        self.environment = {
            "PATH": f"{self.root}/bin:{os.environ['PATH']}", "HOME": str(self.root), "TMINUS_STATE": str(self.state),
            "TZ": "Europe/Berlin", "LANG": "C.UTF-8", "CHAT_SECRET": SECRET, "EDITOR": "true",
            "PGHOST": str(database.directory), "PGUSER": "tminus", "PGDATABASE": "tminus"}

    def write(self, name, text, mode=0o644):
        (self.root / name).write_text(text)
        (self.root / name).chmod(mode)

    def launch(self, command, state):
        """A daemon to which work can be sent, and its port, 0 for none."""
        log, environment = state.with_suffix(".log"), {**self.environment, "TMINUS_STATE": str(state)}
        with open(log, "wb") as out:
            daemon = subprocess.Popen(["sh", "-c", f"exec {command}"], cwd=self.root, env=environment,
                                      stdin=subprocess.DEVNULL, stdout=out, stderr=out)

        def failure():
            daemon.kill()
            daemon.wait()
            return Failure(f"{command}: {log.read_text()}")

        wait_for(lambda: self.run(f"tminus status --ready --state {state}")[0] == 0, LIMIT, failure, daemon)
        if "--listen 127.0.0.1:" not in command:
            return daemon, 0
        # It may answer before the line with the port is printed.
        opened = re.compile(r"HTTP open address=127\.0\.0\.1:(\d+)")
        return daemon, int(wait_for(lambda: opened.search(log.read_text()), LIMIT, failure, daemon)[1])

    def start(self):
        self.daemon, self.port = self.launch("tminus run --allow-edit --listen 127.0.0.1:0", self.state)

    def stop(self):
        if self.daemon:
            daemon, self.daemon = self.daemon, None
            self.terminate(daemon)

    def terminate(self, daemon):
        daemon.terminate()
        if status := daemon.wait(LIMIT):
            raise Failure(f"the daemon ended with {status}")

    def close(self):
        with contextlib.suppress(Failure):
            self.stop()
        shutil.rmtree(self.root)

    def localized(self, command):
        """A command line with the places, ports, ids and addresses of this machine."""
        command = re.sub(r"(?<![\w.])/usr/bin/tminus", "tminus", command)
        command = re.sub(r"(?<![\w.~/-])/(etc|var|run)/", rf"{self.root}/\1/", command)
        command = command.replace("-C / ", f"-C {self.root} ").replace("6207e08e1f3a", self.session)
        database = rf"'\1/\2?host={self.database.directory}'"
        command = re.sub(r"(postgresql://\w+@)db\.example\.org/(\w+)", database, command)
        command = command.replace("2026-11-24.tar", "$(date +%F).tar").replace("curl ", "curl -fsS ")
        # The ids that the examples add are taken in the other directory, and `tminus add` refuses them there.
        command += f" --config {self.root}/new" if command.startswith("tminus add ") else ""
        port = 0 if command.startswith("tminus run") else self.port
        return re.sub(r"(127\.0\.0\.1|localhost):(9108|8080)\b", rf"\1:{port}", command)

    def run(self, command):
        """The status of a command line and what it prints."""
        made = subprocess.run(
            ["sh", "-c", command], cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT, check=False)
        return made.returncode, made.stdout.replace(str(self.root), "")

    def sign_in(self):
        """Signs a browser in and makes a token, for the lines that name one."""
        code = self.run("tminus web")[1].split("code=")[1].strip()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/login", json.dumps({"code": code}).encode(),
            {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=LIMIT).close()
        self.session = re.search(r"\b[0-9a-f]{12}\b", self.run("tminus web list")[1])[0]
        self.environment["TOKEN"] = self.run("tminus token add reader")[1].strip()

    def prepare(self, command, shown):
        """Has the daemon run or not, the database empty, or a file that all can write, as a command line needs it."""
        (self.config / "a.yaml").chmod(0o646 if "others-can-write" in shown else 0o644)
        if "postgresql://" in command or command.startswith("createdb"):
            self.run("dropdb --if-exists --force tminus; createuser -s owner")
            if not command.startswith("createdb"):
                self.run("createdb -E UTF8 tminus")
        if before := re.search(r"\S+/tminus\.sqlite\.before-\w+", command):
            self.stop()
            shutil.copy(self.state / "tminus.sqlite", before[0])
        if re.match(r"tminus (restore|store move|doctor)\b", command):
            self.stop()
        elif not self.daemon and command.startswith(("tminus", "curl")):
            self.start()

    def run_documented(self, command, shown=None):
        """The status of a command line of a text, and what it prints. `shown` is what the text says that it prints.

        A daemon runs until work can be sent to it.
        """
        try:
            self.prepare(self.localized(command), shown or "")
            if control := re.match(r"systemctl (start|restart|stop|disable --now)( tminus)?$", command):
                self.stop()
                if control[1].endswith("start"):
                    self.start()
                return 0, ""
            if not self.session and re.search(r"\$TOKEN|6207e08e1f3a", command):
                self.sign_in()
            command = self.localized(command)
            if not command.startswith("tminus run"):
                return self.run(command)
            # Beside the other, on a state of its own.
            self.terminate(self.launch(command, self.root / "var/lib/second")[0])
        except (Failure, subprocess.TimeoutExpired) as failure:
            return 1, str(failure)
        return 0, ""
