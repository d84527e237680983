#!/usr/bin/env python3
"""Sends damaged requests to the TCP doors of a running daemon; `make check-doors` runs it.

usage: check_doors.py TMINUS [SECONDS] [SEED]

Starts TMINUS twice on directories of its own, once with TLS, each with a token of level edit, and sends for SECONDS
(default 10): damaged headers, paths and bodies, many requests at once, lengths that two readers could understand in two
ways, requests without an end, requests byte by byte, what is not TLS, damaged frames of HTTP/2 and floods of them.
Fails if an answer is a server error other than 503, if one takes too long, if a flood may go on, if an answer or the
log has a token or its hash, if a hidden request is carried out, if memory or open files grow, or if a daemon ends.
What it sends follows from SEED alone.
"""

import concurrent.futures
import contextlib
import hashlib
import http.client
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import frames
from hostile import YAML, Maker
from waiting import wait_for

HERE = pathlib.Path(__file__).resolve().parent
WORKERS = 3
# Seconds an answer may take once all is sent, on a busy machine, and those after which a request that has not ended is
# cut off: 10, and some for a busy machine.
ANSWER, CUT = 20, 25
# How much memory may grow after the first third, in KiB.
GROWTH = 32 << 10
STATUS = re.compile(rb"(?:^|\n|\})HTTP/1\.[01] (\d{3})[ \r]")


class Trouble(Exception):
    """Something that must not happen."""


class Daemon:
    """A running daemon with a token of each level. `secrets` is what nobody may see."""

    def __init__(self, program, root, *options):
        self.program, self.root, self.state = program, root, root / "state"
        (root / "config").mkdir(parents=True)
        self.state.mkdir(mode=0o700)
        (root / "config" / "a.yaml").write_text(YAML)
        levels = ("read", "control", "edit")
        self.tokens = [self.run("token", "add", level, "--level", level).strip() for level in levels]
        self.secrets = [text.encode() for token in self.tokens
                        for text in (token, hashlib.sha256(token.encode()).hexdigest())]
        with open(root / "log", "wb") as log:
            self.process = subprocess.Popen(
                [program, "run", "--config", root / "config", "--state", self.state, "--allow-edit", "--log-level",
                 "debug", "--listen", "127.0.0.1:0", *options], stdout=log, stderr=log)
        found = wait_for(
            lambda: re.search(rb"HTTP open.*127\.0\.0\.1:(\d+)", (root / "log").read_bytes()), 60,
            lambda: Trouble(f"the daemon did not open its port:\n{(root / 'log').read_text()}"), self.process)
        self.port = int(found[1])

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments, "--state", self.state], check=True, capture_output=True,
                              text=True, timeout=60).stdout

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self, limit=ANSWER):
        return socket.create_connection(("127.0.0.1", self.port), timeout=limit)

    def wait(self):
        """Waits until it has ended after SIGTERM; returns its status."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(40)
        self.process.kill()
        return self.process.wait()


def exchange(connection, data, ends=True):
    """What is answered until the end of the connection. One that is refused early may be cut while this still sends."""
    answer = b""
    with connection, contextlib.suppress(ConnectionError, ssl.SSLError):
        connection.sendall(data)
        if ends:
            # Already over, perhaps.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65536):
            answer += part
            if b"text/event-stream" in answer:
                break
    return answer


def judge(daemon, data, answer):
    """The statuses of the answers."""
    statuses = [int(status) for status in STATUS.findall(answer)]
    check(daemon, data, answer, statuses)
    return statuses


def check(daemon, data, answer, statuses):
    """Fails for a server error, and if somebody could read a token."""
    if wrong := [status for status in statuses if status >= 500 and status != 503]:
        raise Trouble(f"status {wrong[0]} for {data!r}: {answer[:500]!r}")
    if any(secret in answer for secret in daemon.secrets):
        raise Trouble(f"a token in the answer to {data!r}")


class Attack:
    """One stream of requests, until `end`."""

    def __init__(self, seed, plain, secure, end):
        self.chance = random.Random(seed)
        self.plain, self.secure, self.end = plain, secure, end
        self.maker, self.secure_maker = (Maker(self.chance, daemon.tokens) for daemon in (plain, secure))
        self.frames, self.floods = frames.FrameMaker(self.chance, self.secure_maker), frames.floods()
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.sent = 0

    def run(self):
        kinds = [self.damaged, self.damaged, self.several, self.whole, self.whole, self.smuggling, self.flooding,
                 self.aborted, self.garbage, self.encrypted, self.streams, self.streams, self.damaged_frames,
                 self.damaged_frames, self.frame_flood]
        while time.monotonic() < self.end:
            self.chance.choice(kinds)()
            self.sent += 1
        return self.sent

    def try_plain(self, data):
        try:
            return judge(self.plain, data, exchange(self.plain.connect(), data))
        except TimeoutError:
            raise Trouble(f"no end of the answer within {ANSWER} s to {data!r}") from None

    def damaged(self):
        self.try_plain(self.maker.mutated(self.maker.request()))

    def several(self):
        requests = [self.maker.request() for _ in range(self.chance.randint(2, 8))]
        if self.chance.random() < 0.3:
            requests[-1] = self.maker.mutated(requests[-1])
        self.try_plain(b"".join(requests))

    def whole(self):
        if not self.try_plain(data := self.maker.request({"Connection": "close"})):
            raise Trouble(f"no answer to {data!r}")

    def smuggling(self):
        body = '{"id": "smuggled", "duration": "9h"}'
        head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {self.plain.tokens[-1]}\r\nContent-Type: application/json"
        inner = f"POST /timers HTTP/1.1\r\n{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        data = self.maker.smuggled(inner.encode())
        if (statuses := self.try_plain(data)) != [400]:
            raise Trouble(f"statuses {statuses}, not one 400, for {data!r}")

    def flooding(self):
        self.try_plain(self.maker.flooding())

    def aborted(self):
        data = self.maker.request()
        with self.plain.connect() as connection, contextlib.suppress(ConnectionError):
            connection.sendall(data[:self.chance.randint(0, len(data))])
            if self.chance.random() < 0.5:
                # Ends with a reset.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    def garbage(self):
        data = self.maker.handshake()
        self.try_plain(data)
        try:
            exchange(self.secure.connect(), data)
        except TimeoutError:
            raise Trouble(f"TLS waits for more after the end of {data!r}") from None

    def encrypted(self):
        data = self.secure_maker.request({"Connection": "close"})
        # What has lost its end waits for more, and in TLS nobody says that nothing more comes.
        limit = ANSWER if self.chance.random() < 0.7 else 0.05
        if limit < ANSWER:
            data = self.secure_maker.mutated(data)
        try:
            connection = self.context.wrap_socket(self.secure.connect(), server_hostname="localhost")
            connection.settimeout(limit)
            judge(self.secure, data, exchange(connection, data, ends=False))
        except TimeoutError:
            if limit == ANSWER:
                raise Trouble(f"no end of the answer within {ANSWER} s to {data!r} by TLS") from None

    def try_frames(self, data, streams, limit=ANSWER):
        """What is answered in these streams; without any, what comes up to the end of the connection."""
        found = {}
        with frames.Client(self.secure.port, limit) as client, contextlib.suppress(ConnectionError, ssl.SSLError):
            client.send(data)
            found = client.answers(streams)
        statuses = [status for status, _ in found.values() if status]
        check(self.secure, data, client.raw + b"".join(body for _, body in found.values()), statuses)

    def streams(self):
        parts, streams = self.frames.several()
        data = b"".join(parts)
        try:
            self.try_frames(data, streams)
        except TimeoutError:
            raise Trouble(f"no end of the streams within {ANSWER} s to {data!r}") from None

    def damaged_frames(self):
        # What is damaged may wait for more.
        with contextlib.suppress(TimeoutError):
            self.try_frames(self.frames.damaged(), [1, 3, 5], self.chance.choice([0.05, 0.3]))

    def frame_flood(self):
        name = self.chance.choice(list(self.floods))
        try:
            with (frames.Client(self.secure.port, ANSWER) as client,
                  contextlib.suppress(ConnectionError, ssl.SSLError)):
                client.send(self.floods[name])
                for kind, _, _, payload in client.frames():
                    if kind == frames.GOAWAY and not int.from_bytes(payload[4:8], "big"):
                        raise Trouble(f"{name}: the connection ends without an error")
        except TimeoutError:
            raise Trouble(f"{name}: the connection goes on") from None


SLOW_FRAMES = {
    "nothing": b"",
    "a part of a frame": frames.request(1, "GET", "/items")[:30],
    "headers without an end": frames.frame(frames.HEADERS, frames.END_STREAM, 1, frames.head("GET", "/items")),
    "pings": frames.frame(frames.PING, payload=bytes(8)),
    "a body without an end": frames.frame(
        frames.HEADERS, frames.END_HEADERS, 1, frames.head("POST", "/login", {"content-type": "application/json"})),
}


def wait_for_frames(daemon, name):
    """Sends this, then nothing; the daemon must end the stream with 408, and the connection if none has begun."""
    begun = time.monotonic()
    with frames.Client(daemon.port, CUT) as client:
        client.send(SLOW_FRAMES[name])
        try:
            for kind, _, _, payload in client.frames():
                if kind == frames.HEADERS and frames.status(payload) == 408:
                    return
                if time.monotonic() > begun + CUT:
                    raise TimeoutError
        except TimeoutError:
            raise Trouble(f"the daemon waits longer than {CUT} s after {name}") from None
    if name == "a body without an end":
        raise Trouble("the daemon did not answer 408 to a body without an end")


def wait_slowly(daemon, cut):
    """Sends the beginning of a request, then nothing or a byte a second; the daemon must end that."""
    data = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{"
    begun = time.monotonic()
    with daemon.connect(1) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(data[:cut])
        while time.monotonic() < begun + CUT:
            with contextlib.suppress(TimeoutError):
                while connection.recv(65536):
                    pass
                return
            if cut % 2 and cut < len(data):
                connection.sendall(data[cut:cut + 1])
                cut += 1
        raise Trouble(f"the daemon waits longer than {CUT} s for the rest of {data[:cut]!r}")


def attack(plain, secure, seconds, seed):
    """Returns the number of attacks."""
    end = time.monotonic() + seconds
    base = [daemon.files() for daemon in (plain, secure)]
    with concurrent.futures.ThreadPoolExecutor(WORKERS + 24) as pool:
        slow = [pool.submit(wait_slowly, daemon, cut)
                for daemon in (plain, secure) for cut in (0, 1, 17, 30, 60, 101, 105)]
        slow += [pool.submit(wait_for_frames, secure, name) for name in SLOW_FRAMES]
        found = [pool.submit(Attack(f"{seed}-{worker}", plain, secure, end).run) for worker in range(WORKERS)]
        concurrent.futures.wait(found, seconds / 3)
        memory = [daemon.memory() for daemon in (plain, secure)]
        sent = sum(future.result() for future in found)
        for future in slow:
            future.result()
    for daemon, before, files in zip((plain, secure), memory, base, strict=True):
        if (grown := daemon.memory() - before) > GROWTH:
            raise Trouble(f"memory grew by {grown} KiB, from {before} KiB")
        wait_for(lambda daemon=daemon, files=files: daemon.files() - files <= 4, CUT,
                 lambda daemon=daemon, files=files: Trouble(f"{daemon.files() - files} open files are left"))
    return sent


def check_health(daemon, secure):
    """That it still answers, and has done nothing that nobody asked for."""
    if daemon.process.poll() is not None:
        raise Trouble(f"the daemon ended with {daemon.process.returncode}")
    context = ssl._create_unverified_context()
    for path in ("/healthz", "/readyz", "/items"):
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=ANSWER)
        if secure:
            connection = http.client.HTTPSConnection("localhost", daemon.port, timeout=ANSWER, context=context)
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200 or b'"smuggled"' in text:
            raise Trouble(f"{path}: {answer.status} {text[:500]!r}")


def check_end(daemon):
    """How it ends, and what it has logged."""
    if (status := daemon.wait()) != 0:
        raise Trouble(f"the daemon ended with {status}")
    log = (daemon.root / "log").read_bytes()
    if any(secret in log for secret in daemon.secrets):
        raise Trouble("a token is in the log")
    if found := re.search(rb"^.*(?: error |critical|Fatal error).*$", log, re.MULTILINE):
        raise Trouble(f"the log says: {found[0]!r}")


def main(program, seconds, seed):
    root = pathlib.Path(tempfile.mkdtemp(prefix="tminus-doors-"))
    daemons = []
    try:
        subprocess.run(["sh", HERE.parent / "TestServer" / "certificates.sh", root], check=True, capture_output=True)
        daemons.append(Daemon(program, root / "plain"))
        certificate = ["--tls-cert", root / "good.pem", "--tls-key", root / "good.key"]
        daemons.append(Daemon(program, root / "secure", *certificate))
        sent = attack(*daemons, seconds, seed)
        for daemon, secure in zip(daemons, (False, True), strict=True):
            check_health(daemon, secure)
        for daemon in daemons:
            daemon.process.send_signal(signal.SIGTERM)
        for daemon in daemons:
            check_end(daemon)
    except Trouble as trouble:
        print(f"check_doors: {trouble} (seed {seed})", file=sys.stderr)
        return 1
    finally:
        for daemon in daemons:
            if daemon.process.poll() is None:
                daemon.process.kill()
                daemon.process.wait()
        shutil.rmtree(root)
    print(f"check_doors: {sent} attacks (seed {seed})")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    numbers = [int(text) for text in sys.argv[2:]]
    sys.exit(main(os.path.abspath(sys.argv[1]), *(numbers + [10, 1][len(numbers):])))
