#!/usr/bin/env python3
"""Tries the routes of a running daemon with schemathesis; `make check-api` runs it in an environment that has it.

usage: check_api.py TMINUS [EXAMPLES]

Starts TMINUS on a directory of its own, with timers, a stopwatch and events, and lets schemathesis send what the
description at /openapi.json allows and forbids: EXAMPLES (default 60) requests of each kind to each route. Then the
same over TCP, for a client without a token and for one of each level, with a sixth of the examples.

schemathesis speaks only TCP, so a proxy stands before the socket. It cannot try streams that do not end, answers that
wait, and texts of files: /events, /wait, /file and /definitions are tried here, against the same description. Fails if
an answer is not as described, or if the daemon ends.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

import jsonschema_rs

from waiting import wait_for

CONFIG = """\
timers:
  tea: {duration: 3m, start: manual}
  focus: {duration: 25m, start: auto}
stopwatches:
  run: {start: auto}
events:
  meeting: {at: 2099-12-01 09:00, remind: [1 day]}
"""

# What is not there over TCP.
SOCKET_ONLY = ["/wait", "/codes", "/sessions", "/sessions/{id}"]
# Seconds after which schemathesis is stopped; it needs far less unless the daemon hangs.
LIMIT = 300


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def forward(client, path):
    server = socket.socket(socket.AF_UNIX)
    with client, server:
        server.connect(path)
        back = threading.Thread(target=copy, args=(server, client), daemon=True)
        back.start()
        copy(client, server)
        back.join()


def serve(listener, path):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=forward, args=(client, path), daemon=True).start()


class Door:
    """Where a client of a daemon comes in, and with which token."""

    def __init__(self, port, token=None):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        kind = {"Content-Type": "application/json"} if method == "POST" else {}
        connection.request(method, path, body, kind | self.headers | (headers or {}))
        return connection.getresponse()


class Daemon:
    """A running daemon in a directory of its own."""

    def __init__(self, program):
        self.program, self.scratch = program, pathlib.Path(tempfile.mkdtemp(prefix="tminus-api-"))
        self.state, self.log = self.scratch / "state", self.scratch / "daemon.log"
        self.socket = str(self.state / "control.sock")
        (self.scratch / "config").mkdir()
        self.state.mkdir(mode=0o700)
        (self.scratch / "config" / "all.yaml").write_text(CONFIG)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [program, "run", "--config", self.scratch / "config", "--state", self.state, "--socket", self.socket,
                 "--listen", "127.0.0.1:0", "--private", "--allow-edit"], stdout=log, stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.scratch)

    def wait_for(self, what, state):
        return wait_for(
            state, 30, lambda: SystemExit(f"check_api: the daemon did not open {what}:\n{self.log.read_text()}"),
            self.process)

    def is_open(self):
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket) == 0

    def socket_door(self):
        """The control socket, through a proxy."""
        self.wait_for("its socket", self.is_open)
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=serve, args=(listener, self.socket), daemon=True).start()
        door = Door(listener.getsockname()[1])
        self.wait_for("its definitions", lambda: door.ask("GET", "/readyz").status == 200)
        return door

    def tcp_door(self, level):
        """TCP, with a token of that level; without one for None."""
        pattern = r"HTTP open.*127\.0\.0\.1:(\d+)"
        port = int(self.wait_for("its port", lambda: re.search(pattern, self.log.read_text()))[1])
        if level is None:
            return Door(port)
        made = subprocess.run([self.program, "token", "add", level, "--level", level, "--state", self.state],
                              check=True, capture_output=True, text=True, timeout=60)
        return Door(port, made.stdout.strip())


class Description:
    """The description that the daemon serves."""

    def __init__(self, door):
        self.document = json.load(door.ask("GET", "/openapi.json"))

    def validate(self, value, schema):
        whole = {"allOf": [schema], "components": self.document["components"]}
        jsonschema_rs.Draft202012Validator(whole, validate_formats=True).validate(value)

    def check(self, answer, path, method="get"):
        """Holds an answer against what is said of its status; returns the media type's description."""
        responses = self.document["paths"][path][method]["responses"]
        assert str(answer.status) in responses, f"{path}: {answer.status} is not described"
        response = responses[str(answer.status)]
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        media = answer.headers.get_content_type()
        assert media in response["content"], f"{path}: {answer.status} is of {media}"
        return response["content"][media]


def check_wait(door, description):
    """Every status of /wait."""
    for query, status in [
        ("", 200), ("?generation=0", 200), ("?generation=1&timeout=3600", 200), ("?generation=1000000&timeout=1", 503),
        ("?generation=-1", 400), ("?generation=one", 400), ("?generation=1&timeout=0", 400),
        ("?generation=1&timeout=3601", 400), ("?generation=&timeout=", 400),
    ]:
        answer = door.ask("GET", "/wait" + query)
        assert answer.status == status, f"/wait{query}: {answer.status}, not {status}"
        description.validate(json.load(answer), description.check(answer, "/wait")["schema"])


def next_event(stream):
    """The fields of the next event of a stream."""
    fields = {}
    while line := stream.readline().decode().rstrip("\n"):
        name, _, value = line.partition(": ")
        assert name in ("id", "event", "data") and name not in fields, f"/events: the line '{line}'"
        fields[name] = value
    expected = {"event", "data"} if fields.get("event") in ("hello", "clock") else {"id", "event", "data"}
    assert fields.keys() == expected, f"/events: an event with {sorted(fields)}"
    identifier = fields.get("id", "x-0")
    assert re.fullmatch("[0-9a-z]+-[0-9]+", identifier), f"/events: the id '{identifier}'"
    return identifier, fields["event"], json.loads(fields["data"])


def check_events(door, description):
    """Every kind of event of /events, and that it goes on after the event that was seen last."""
    def follow(last=None, query=""):
        stream = door.ask("GET", "/events" + query, headers={"Last-Event-ID": last} if last else {})
        return stream, description.check(stream, "/events")["x-events"]

    def take(stream, schemas, kind):
        identifier, event, value = next_event(stream)
        assert event == kind, f"/events: '{event}', not '{kind}'"
        description.validate(value, schemas[event])
        return identifier, value

    stream, schemas = follow()
    first, items = take(stream, schemas, "snapshot")
    assert {item["id"] for item in items} >= {"tea", "focus", "run", "meeting"}, "/events: not all items"
    made = json.load(door.ask("POST", "/timers", '{"id": "stream", "duration": "50m"}'))
    assert take(stream, schemas, "item")[1]["id"] == made["id"] == "stream"
    door.ask("DELETE", "/items/stream").read()
    assert take(stream, schemas, "removed")[1] == {"id": "stream"}
    again, schemas = follow(first)
    assert take(again, schemas, "item")[1]["id"] == "stream"
    take(again, schemas, "removed")
    stranger, schemas = follow("other-1")
    take(stranger, schemas, "snapshot")
    position = door.ask("GET", "/items?events=true").headers["Tminus-Event"]
    timed, schemas = follow(query=f"?after={position}&clock")
    take(timed, schemas, "hello")
    while (event := next_event(timed))[1] != "clock":
        description.validate(event[2], schemas[event[1]])
    description.validate(event[2], schemas["clock"])
    refused = door.ask("GET", "/events?clock=often")
    assert refused.status == 400, f"/events?clock=often: {refused.status}, not 400"
    description.check(refused, "/events")


def check_files(door, description):
    """Every status that a client can cause of the routes for files: schemathesis knows no valid text and no ETag."""
    def send(status, method, target, body=None, headers=None):
        answer = door.ask(method, target, body, headers)
        assert answer.status == status, f"{method} {target}: {answer.status}, not {status}: {answer.read()}"
        media = description.check(answer, target.split("?")[0], method.lower())
        if answer.headers.get_content_type() == "text/plain":
            return answer.read().decode(), answer.headers["ETag"]
        value = json.load(answer)
        description.validate(value, media["schema"])
        return value, answer.headers["ETag"]

    text, tag = send(200, "GET", "/file?path=all.yaml")
    assert text == CONFIG, "/file: another text"
    send(404, "GET", "/file?path=none.yaml")
    send(400, "GET", "/file")
    longer = text.replace("3m", "4m") + "  rest: {at: 2099-12-02 09:00}\n"
    tried, present = send(200, "PUT", "/file?path=all.yaml&dry-run=true", longer)
    assert not tried["written"] and present == tag and tried["changed"] == ["tea"] and tried["added"] == ["rest"]
    send(428, "PUT", "/file?path=all.yaml", longer)
    send(400, "PUT", "/file?path=all.yaml", longer, {"If-Match": "x"})
    send(422, "PUT", "/file?path=all.yaml", "timers: 1\n", {"If-Match": tag})
    send(413, "PUT", "/file?path=all.yaml", "#" * (1 << 20) + "\n", {"If-Match": tag})
    saved, new = send(200, "PUT", "/file?path=all.yaml", longer, {"If-Match": tag})
    assert saved["written"] and saved["etag"] == new != tag
    lost, _ = send(412, "PUT", "/file?path=all.yaml", text, {"If-Match": tag})
    assert lost["text"] == longer and lost["etag"] == new
    send(201, "PUT", "/file?path=new.yaml", "timers: {}\n", {"If-None-Match": "*"})
    send(412, "PUT", "/file?path=new.yaml", "timers: {}\n", {"If-None-Match": "*"})
    send(404, "PUT", "/file?path=none.yaml", "timers: {}\n", {"If-Match": tag})
    send(404, "PUT", "/file?path=../new.yaml", "timers: {}\n", {"If-None-Match": "*"})
    body = {"kind": "event", "file": "new.yaml", "definition": {"name": "Feast", "at": "2099-12-24 18:00"}}
    send(200, "POST", "/definitions?dry-run=true", json.dumps(body))
    added, _ = send(201, "POST", "/definitions", json.dumps(body))
    assert added["id"] == "feast" and added["file"] == "new.yaml"
    send(409, "POST", "/definitions", json.dumps(body))
    send(422, "POST", "/definitions", json.dumps({"kind": "timer", "id": "x", "definition": {"duration": "soon"}}))
    send(400, "POST", "/definitions", json.dumps({"kind": "timer"}))
    send(400, "POST", "/definitions", "[]")
    send(413, "POST", "/definitions", " " * (65 << 10))


def check_by_hand(door, has_wait):
    try:
        description = Description(door)
        if has_wait:
            check_wait(door, description)
        check_events(door, description)
        check_files(door, description)
    except (AssertionError, OSError, ValueError, jsonschema_rs.ValidationError) as error:
        print(f"check_api: {error}", file=sys.stderr)
        return 1
    print(f"check_api: {'/wait, ' if has_wait else ''}/events, /file and /definitions are as described")
    return 0


def check_by_examples(door, daemon, examples, excluded, phases="examples,coverage,fuzzing"):
    """Lets schemathesis try what the daemon describes; returns its status."""
    description = daemon.scratch / "openapi.json"
    if not description.exists():
        description.write_bytes(door.ask("GET", "/openapi.json").read())
    fields = [word for name, value in door.headers.items() for word in ("--header", f"{name}: {value}")]
    paths = [word for path in ["/events", "/file", "/definitions", *excluded] for word in ("--exclude-path", path)]
    result = subprocess.run(
        [pathlib.Path(sys.executable).parent / "schemathesis", "run", description, "--url", door.url, *fields, *paths,
         "--max-examples", str(examples), "--seed", "1", "--generation-deterministic",
         "--phases", phases, "--no-shrink", "--continue-on-failure",
         "--request-timeout", "10", "--no-color"],
        timeout=LIMIT, check=False, cwd=daemon.scratch, stdin=subprocess.DEVNULL)
    if daemon.process.poll() is not None:
        print(f"check_api: the daemon ended with {daemon.process.returncode}", file=sys.stderr)
        return 1
    return result.returncode


def main(tminus, examples):
    with Daemon(tminus) as daemon:
        door = daemon.socket_door()
        status = check_by_hand(door, True)
        status |= check_by_examples(door, daemon, examples, ["/wait"])
    with Daemon(tminus) as daemon:
        description = daemon.socket_door()
        doors = {level: daemon.tcp_door(level) for level in (None, "read", "control", "edit")}
        status |= check_by_hand(doors["edit"], False)
        (daemon.scratch / "openapi.json").write_bytes(description.ask("GET", "/openapi.json").read())
        for level, door in doors.items():
            print(f"check_api: over TCP, {f'level {level}' if level else 'without a token'}", flush=True)
            # All that the description forbids, from those who may do nothing and those who may do all.
            phases = "coverage,fuzzing" if level in (None, "edit") else "fuzzing"
            status |= check_by_examples(door, daemon, -(-examples // 6), SOCKET_ONLY, phases)
    return status


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 60))
