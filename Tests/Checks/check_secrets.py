#!/usr/bin/env python3
"""Looks for secrets in everything that a daemon and its commands write; `make check-secrets` runs it.

usage: check_secrets.py TMINUS

A daemon of TMINUS has a canary in the place of each kind of secret: header fields, addresses and signing keys of
webhooks from a variable, a file and a credential, the environment of hooks and plug-ins, tokens, the code and cookie of
a browser, the private key for TLS, the password of a database. Every receiver repeats what it got and then fails. Then
every command runs, every route is read, and the definitions are broken, backed up and restored.

Nothing of it may contain 8 characters of a canary, plain or in base64: no output, log, answer, command line of any
process, or file, whatever its mode. Excepted are the places that have a secret by their purpose; what other users can
read must not even be there.
"""

import base64
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading

from canaries import Canaries, Leak, Receiver, Watcher, server_with_password
from waiting import wait_for

# Seconds in which something happens, on a busy machine.
LIMIT = 180
# What stands in a definition file and not in a place of its own.
LITERAL = {"literal address", "literal field"}

CONFIG = """\
defaults: { on-failure: [stdout] }
sinks:
  fields: { webhook: '@URL@/fields', headers: { Authorization: { env: HEADER_VARIABLE }, X-File: { file: @FILE@ },
            X-Credential: { credential: token } } }
  signed: { webhook: '@URL@/signed', secret: [{ file: @SIGNING@ }, { env: SIGNING_VARIABLE }] }
  address: { webhook: { file: @ADDRESS@ } }
  login: { webhook: { env: LOGIN_VARIABLE } }
  literal: { webhook: '@URL@/@LITERAL_ADDRESS@?key=1', headers: { Authorization: 'Bearer @LITERAL_FIELD@' } }
  bad: { webhook: '@URL@/bad', headers: { X-Bad: { file: @BAD@ } } }
  body: { webhook: '@URL@/body', headers: { X-Body: { env: HEADER_VARIABLE } }, body: '{"text": "{{message}}"}' }
  hook: { shell: 'echo "$TOKEN"; echo "$TOKEN" >&2; exit 3', environment: { TOKEN: { env: HOOK_VARIABLE } } }
  program: { exec: [@SAYS@], environment: { TOKEN: { file: @HOOK_FILE@ } } }
  again: { exec: [@SAYS@, 75], environment: { TOKEN: { credential: hook } }, retry: { first: 1h, max: 1h } }
  plugged: { plugin: @PLUGIN@, environment: { TOKEN: { env: PLUGIN_VARIABLE } } }
timers:
@TIMERS@
events:
  launch: { at: 2027-12-01 09:00, remind: 1 day, on-reminder: [fields], on-expiry: [literal, hook, signed] }
"""
# What is wrong stands beside what is hidden, in the line that the daemon and the commands show of it.
BROKEN = """\
sinks:
  x: { webhook: 'ftp://h/@LITERAL_ADDRESS@', tiemout: 1s }
  y: { webhook: 'http://h/', secret: @LITERAL_FIELD@, tiemout: 1s }
  z: { webhook: 'http://h/@LITERAL_ADDRESS@', headers: { Authorization: "@LITERAL_FIELD@\\n" }, method: GET }
"""
SINKS = ["fields", "signed", "address", "login", "literal", "bad", "body", "hook", "program", "again", "plugged"]
SAYS = """\
#!/usr/bin/env python3
import os, sys
print(os.environ["TOKEN"])
print("x" * 190 + os.environ["TOKEN"], file=sys.stderr)
sys.exit(int(sys.argv[1]) if sys.argv[1:] else 3)
"""
PLUGIN = """\
#!/usr/bin/env python3
import json, os, sys
sys.stdin.readline()
print(os.environ["TOKEN"], file=sys.stderr, flush=True)
print(json.dumps({"ready": 1}), flush=True)
print("no answer: " + os.environ["TOKEN"], flush=True)
for line in sys.stdin:
    identifier = json.loads(line)["deliver"]["id"]
    print(json.dumps({"id": identifier, "outcome": "dead", "reason": os.environ["TOKEN"]}), flush=True)
"""


class Place:
    """The directories and secrets of a daemon."""

    def __init__(self, program, root):
        self.program, self.root, self.canaries = program, root, Canaries()
        self.config, self.state, self.kept = root / "config", root / "state", root / "kept"
        for directory in (self.config, self.state, self.kept, root / "credentials", root / "tmp"):
            directory.mkdir(mode=0o700)
        make = self.canaries.make
        self.environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ} | {
            "CREDENTIALS_DIRECTORY": str(root / "credentials"), "TMPDIR": str(root / "tmp"),
            "HEADER_VARIABLE": make("header variable", "Bearer {}"), "HOOK_VARIABLE": make("hook variable"),
            "PLUGIN_VARIABLE": make("plug-in variable"), "SIGNING_VARIABLE": make("signing variable")}
        self.keep(root / "credentials" / "token", make("header credential"))
        self.keep(root / "credentials" / "hook", make("hook credential"))
        self.keep(self.kept / "file", make("header file") + "\n")
        self.keep(self.kept / "signing", make("signing file"))
        self.keep(self.kept / "bad", make("unusable header", "{}\x01"))
        self.keep(self.kept / "hook", make("hook file"))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.keep(self.kept / "address", make("address file", f"http://{self.host}/{{}}"))
        self.environment["LOGIN_VARIABLE"] = make("login variable", f"http://user:{{}}@{self.host}/login")
        for name, text in (("says", SAYS), ("plugin", PLUGIN)):
            self.keep(self.kept / name, text)
            (self.kept / name).chmod(0o700)
        self.words = {
            "URL": f"http://{self.host}", "LITERAL_ADDRESS": make("literal address"),
            "LITERAL_FIELD": make("literal field"), "FILE": self.kept / "file", "BAD": self.kept / "bad",
            "SIGNING": self.kept / "signing", "ADDRESS": self.kept / "address", "SAYS": self.kept / "says",
            "HOOK_FILE": self.kept / "hook", "PLUGIN": self.kept / "plugin",
            "TIMERS": "\n".join(f"  t-{sink}: {{ duration: 1ms, on-expiry: [{sink}] }}" for sink in SINKS)}
        self.keep(self.config / "a.yaml", self.fill(CONFIG))
        self.make_certificate()

    def fill(self, text):
        """The text with values for its words between signs."""
        return re.sub("@([A-Z_]+)@", lambda word: str(self.words[word[1]]), text)

    @staticmethod
    def keep(path, text):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)

    def make_certificate(self):
        self.key, self.certificate = self.kept / "key.pem", self.kept / "certificate.pem"
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        subprocess.run(["openssl", "req", "-x509", *kind, "-days", "2", "-subj", "/CN=localhost", "-keyout", self.key,
                        "-out", self.certificate], check=True, capture_output=True)
        self.key.chmod(0o600)
        # Bytes 36 to 67 are the secret number; what follows is in the certificate too (RFC 5208, RFC 5915).
        self.canaries.add("private key", "".join(self.key.read_text().splitlines()[1:-1])[48:88])

    def run(self, *words, allowed=(), environment=None):
        """Runs a command and searches what it writes; returns its standard output."""
        ended = subprocess.run([self.program, *words], capture_output=True, timeout=LIMIT, check=False, cwd=self.root,
                               env=self.environment | (environment or {}))
        self.canaries.expect_none(f"what '{' '.join(map(str, words))}' wrote", ended.stdout + ended.stderr, allowed)
        return ended.stdout.decode()

    def daemon(self, log, *options, environment=None):
        with open(self.root / log, "wb") as file:
            return subprocess.Popen([self.program, "run", "--config", self.config, "--state", self.state, *options],
                                    stdout=file, stderr=file, env=self.environment | (environment or {}))


def missing(what):
    return lambda: Leak(f"{what} did not happen")


def every_command(place):
    """Runs everything that shows something."""
    at = ("--state", place.state)
    deliveries = json.loads(place.run("deliveries", "--json", "-n", "100", *at))
    of_each = [[verb, f"t-{sink}"] for sink in SINKS for verb in ("show", "why", "fire")]
    attempts = [["deliveries", "--delivery", row["id"]] for row in deliveries]
    for words in [
            ["list"], ["show", "launch"], ["history"], ["deliveries", "-n", "100"], ["status"], ["token", "list"],
            ["web", "list"], *of_each, ["history", "t-fields"], *attempts, ["fire", "launch", "--dry-run"],
            ["doctor", "--network", "--config", place.config], ["diff", "--config", place.config]]:
        place.run(*words, *at)
        if words[:2] != ["token", "list"]:
            place.run(*words, "--json", *at)
    place.run("status", "--exit-code", *at)
    place.run("reload", *at)
    span = ("--from", "2027-11-30", "--to", "2027-12-02", "--config", place.config)
    for words in [["check", place.config], ["next", "--config", place.config], ["simulate", *span]]:
        place.run(*words)
        place.run(*words, "--json")
    place.run("check", place.config, "--format", "github", "--strict")
    place.run("store", "check", place.state / "tminus.sqlite")


def every_route(place, port, token):
    """Reads all routes by a token that may do everything, and signs a browser in."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def ask(method, path, body=None, bearer=token, allowed=()):
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=LIMIT, context=context)
        with contextlib.closing(connection):
            connection.request(method, path, body and json.dumps(body), {
                "Content-Type": "application/json"} | ({"Authorization": f"Bearer {bearer}"} if bearer else {}))
            answer = connection.getresponse()
            # The stream of events has no end; its first piece has the whole state.
            data = answer.read1(1 << 20) if path == "/events" else answer.read()
            place.canaries.expect_none(f"the answer to {method} {path}", str(answer.headers).encode() + data, allowed)
            return answer, data

    routes = json.loads(ask("GET", "/openapi.json")[1])["paths"]
    for path, methods in routes.items():
        for name in ("launch", "t-literal") if "{id}" in path else ("",):
            if "get" in methods and path != "/wait":
                ask("GET", path.replace("{id}", name).replace("{version}/{file}", "0/main.js"))
    for path in ("/file?path=a.yaml", "/file?path=../kept/file", "/file?path=../state/tokens"):
        # A file is shown to who may edit it.
        ask("GET", path, allowed=LITERAL)
    ask("POST", "/items/launch/fire", {"dry-run": True})
    ask("POST", "/items/launch/fire", {"wait": True})
    wrong = place.canaries.make("wrong token")
    for path in ("/items", f"/items?token={wrong}", f"/items/{wrong}"):
        ask("GET", path, bearer=wrong, allowed=("wrong token",))
    link = subprocess.run([place.program, "web", "--level", "control", "--state", place.state], check=True,
                          capture_output=True, text=True, env=place.environment).stdout
    code = re.search(r"#.*?([A-Za-z0-9_-]{16,})", link)[1]
    place.canaries.add("code of a browser", code)
    answer, _ = ask("POST", "/login", {"code": code}, bearer="")
    if answer.status >= 400 or not (cookie := answer.headers.get("Set-Cookie")):
        raise Leak(f"a browser with a code is not signed in: {answer.status}")
    place.canaries.add("cookie", re.match(r"[^=]+=([^;]+)", cookie)[1])
    ask("POST", "/login", {"code": code}, bearer="")


def files(place):
    """Searches every file. What has a secret by its purpose is for its owner only."""
    every = set(place.canaries.parts.values())
    # The store keeps the definitions that are in force, with what is written out in them.
    stores = place.state.glob("tminus.sqlite*")
    purpose = {place.kept: every, place.root / "credentials": every} | dict.fromkeys(
        [place.config, place.root / "backup.tar", place.root / "restored", *stores], LITERAL)
    for path in place.root.rglob("*"):
        if not path.is_file():
            continue
        allowed = set().union(*(kinds for top, kinds in purpose.items() if path.is_relative_to(top)))
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            allowed = set()
        place.canaries.expect_none(f"the file {path} of mode {stat.S_IMODE(path.stat().st_mode):o}", path.read_bytes(),
                                   allowed)


def main_daemon(place):
    """A life of a daemon with all sinks, seen from everywhere; twice, for both formats of the log."""
    token = subprocess.run([place.program, "token", "add", "all", "--level", "edit", "--state", place.state],
                           check=True, capture_output=True, text=True, env=place.environment).stdout.strip()
    # Every token begins like the name of a metric.
    place.canaries.add("token", token.removeprefix("tminus_"))
    for style in ("text", "json"):
        log = place.root / f"log.{style}"
        process = place.daemon(
            log.name, "--log-level", "trace", "--log-format", style, "--listen", "127.0.0.1:0", "--allow-edit",
            "--tls-cert", place.certificate, "--tls-key", place.key)
        try:
            port = int(wait_for(lambda log=log: re.search(rb"HTTP open.*?127\.0\.0\.1:(\d+)", log.read_bytes()),
                                LIMIT, missing("an open port"))[1])

            def settled():
                rows = json.loads(place.run("deliveries", "--json", "-n", "100", "--state", place.state))
                tried = {row["sink"] for row in rows if row["attempts"]}
                return set(SINKS) <= tried

            wait_for(settled, LIMIT, missing("an attempt of each sink"))
            every_command(place)
            every_route(place, port, token)
            place.keep(place.config / "b.yaml", place.fill(BROKEN))
            place.keep(place.key, "no key: " + place.canaries.make(f"broken key, {style}"))
            place.run("reload", "--state", place.state)
            place.run("check", place.config)
            place.run("check", place.config, "--json")
            place.run("status", "--state", place.state)
            place.run("status", "--json", "--state", place.state)
            (place.config / "b.yaml").unlink()
            place.make_certificate()
            place.run("reload", "--state", place.state)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LIMIT)
        place.canaries.expect_none(f"the log in {style}", log.read_bytes())
        # It proves something only if the receivers repeated secrets.
        if (marks := log.read_bytes().count(b"(secret)")) < len(SINKS) // 2:
            raise Leak(f"only {marks} secrets were masked in the log in {style}")
        files(place)
    backup = place.root / "backup.tar"
    place.run("backup", backup, "--config", place.config, "--state", place.state)
    listing = subprocess.run(["tar", "-tvf", backup], check=True, capture_output=True).stdout
    place.canaries.expect_none("the list of the backup", listing)
    (place.root / "restored").mkdir(mode=0o700)
    place.run("restore", backup, "--config", place.root / "restored/config", "--state", place.root / "restored/state")


def database(place):
    """A daemon and commands whose database refuses the password, from a variable and from a file."""
    passwords = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=server_with_password, args=(listener, passwords), daemon=True).start()
        address = f"postgresql://tminus@127.0.0.1:{listener.getsockname()[1]}/tminus"
        file = place.kept / "pgpass"
        place.keep(file, f"*:*:*:*:{place.canaries.make('password file')}\n")
        for number, environment in enumerate((
                {"PGPASSWORD": place.canaries.make("password variable")}, {"PGPASSFILE": str(file)})):
            state = place.root / f"state-{number}"
            state.mkdir(mode=0o700)
            process = place.daemon(f"log.database-{number}", "--store", address, "--log-level", "trace",
                                   environment=environment)
            try:
                wait_for(lambda number=number: len(passwords) > number, LIMIT, missing("the password"))
                for words in (["store", "check", address], ["store", "setup", address],
                              ["doctor", "--store", address, "--state", state, "--config", place.config],
                              ["doctor", "--store", address, "--state", state, "--config", place.config, "--json"]):
                    place.run(*words, environment=environment)
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(LIMIT)
    wanted = {place.canaries.values["password variable"].encode(), place.canaries.values["password file"].encode()}
    if not wanted <= set(passwords):
        raise Leak(f"the database was not told the passwords: {passwords}")


def main(program):
    root = pathlib.Path(tempfile.mkdtemp(prefix="tminus-secrets-"))
    try:
        place = Place(program, root)
        # A search that finds nothing proves something only if it can find.
        value = place.canaries.values["hook file"]
        for text in (value, f"x{value[5:14]}x", base64.b64encode(f"ab{value}cd".encode()).decode()):
            assert place.canaries.found(text.encode()) == ["hook file"], text
        watcher = Watcher(place.canaries)
        watcher.start()
        main_daemon(place)
        database(place)
        watcher.ended.set()
        watcher.join()
        if watcher.seen:
            raise Leak(watcher.seen[0])
        # The address with a password is refused. It stands in a command line of this script, so the watcher has ended.
        word = place.canaries.make("password in an address")
        for words in (["store", "check"], ["run", "--config", place.config, "--state", place.state, "--store"]):
            ended = subprocess.run([program, *words, f"postgresql://tminus:{word}@127.0.0.1:1/x"], check=False,
                                   capture_output=True, timeout=LIMIT, env=place.environment)
            place.canaries.expect_none(f"what '{words[0]}' wrote of an address", ended.stdout + ended.stderr)
            if not ended.returncode:
                raise Leak("an address with a password was taken")
        files(place)
        got = "\n".join(f"{path} {fields}" for path, fields in Receiver.received)
        for kind in ("header variable", "header file", "header credential", "literal address", "literal field"):
            if place.canaries.values[kind] not in got:
                raise Leak(f"the receiver did not get the {kind}")
        print(f"check_secrets: {len(place.canaries.values)} canaries, {len(Receiver.received)} requests,"
              f" {watcher.looks} looks at all command lines: nothing found")
    except Leak as leak:
        print(f"check_secrets: {leak}", file=sys.stderr)
        print(f"check_secrets: everything is kept in {root}", file=sys.stderr)
        return 1
    shutil.rmtree(root)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
