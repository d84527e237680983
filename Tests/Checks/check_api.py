#!/usr/bin/env python3
"""Tries the routes of a running daemon with schemathesis; `make check-api` runs it in an environment that has it.

usage: check_api.py TMINUS [EXAMPLES]

Starts TMINUS on a directory of its own, with timers, a stopwatch and events, and lets schemathesis send what the
description at /openapi.json allows and forbids: EXAMPLES (default 60) requests of each kind to each route.
schemathesis speaks only TCP, so a proxy stands before the socket. It cannot try streams that do not end, answers that
wait, and texts of files: /events, /wait, /file and /definitions are tried here, against the same description. Fails if an answer is not as described, or
if the daemon ends.
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
import time

import jsonschema_rs

CONFIG = """\
timers:
  tea: {duration: 3m, start: manual}
  focus: {duration: 25m, start: auto}
stopwatches:
  run: {start: auto}
events:
  meeting: {at: 2099-12-01 09:00, remind: [1 day]}
"""

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


def wait_for(path, daemon):
    end = time.monotonic() + 30
    while time.monotonic() < end and daemon.poll() is None:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(path) == 0:
                return
        time.sleep(0.05)
    sys.exit("check_api: the daemon did not open its socket")


def ask(port, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, headers or {})
    return connection.getresponse()


class Description:
    """The description that the daemon serves."""

    def __init__(self, port):
        self.document = json.load(ask(port, "GET", "/openapi.json"))

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


def check_wait(port, description):
    """Every status of /wait."""
    for query, status in [
        ("", 200), ("?generation=0", 200), ("?generation=1&timeout=3600", 200), ("?generation=1000000&timeout=1", 503),
        ("?generation=-1", 400), ("?generation=one", 400), ("?generation=1&timeout=0", 400),
        ("?generation=1&timeout=3601", 400), ("?generation=&timeout=", 400),
    ]:
        answer = ask(port, "GET", "/wait" + query)
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


def check_events(port, description):
    """Every kind of event of /events, and that it goes on after the event that was seen last."""
    def follow(last=None, query=""):
        stream = ask(port, "GET", "/events" + query, headers={"Last-Event-ID": last} if last else {})
        return stream, description.check(stream, "/events")["x-events"]

    def take(stream, schemas, kind):
        identifier, event, value = next_event(stream)
        assert event == kind, f"/events: '{event}', not '{kind}'"
        description.validate(value, schemas[event])
        return identifier, value

    stream, schemas = follow()
    first, items = take(stream, schemas, "snapshot")
    assert {item["id"] for item in items} >= {"tea", "focus", "run", "meeting"}, "/events: not all items"
    made = json.load(ask(port, "POST", "/timers", '{"id": "stream", "duration": "50m"}'))
    assert take(stream, schemas, "item")[1]["id"] == made["id"] == "stream"
    ask(port, "DELETE", "/items/stream").read()
    assert take(stream, schemas, "removed")[1] == {"id": "stream"}
    again, schemas = follow(first)
    assert take(again, schemas, "item")[1]["id"] == "stream"
    take(again, schemas, "removed")
    stranger, schemas = follow("other-1")
    take(stranger, schemas, "snapshot")
    position = ask(port, "GET", "/items?events=true").headers["Tminus-Event"]
    timed, schemas = follow(query=f"?after={position}&clock")
    take(timed, schemas, "hello")
    # The only kind that comes by itself.
    take(timed, schemas, "clock")
    refused = ask(port, "GET", "/events?clock=often")
    assert refused.status == 400, f"/events?clock=often: {refused.status}, not 400"
    description.check(refused, "/events")


def check_files(port, description):
    """Every status that a client can cause of the routes for files: schemathesis knows no valid text and no ETag."""
    def send(status, method, target, body=None, headers=None):
        answer = ask(port, method, target, body, headers)
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


def check_by_hand(port):
    try:
        description = Description(port)
        check_wait(port, description)
        check_events(port, description)
        check_files(port, description)
    except (AssertionError, OSError, ValueError, jsonschema_rs.ValidationError) as error:
        print(f"check_api: {error}", file=sys.stderr)
        return 1
    print("check_api: /wait, /events, /file and /definitions are as described")
    return 0


def main(tminus, examples):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="tminus-api-"))
    config, state = scratch / "config", scratch / "state"
    config.mkdir()
    state.mkdir(mode=0o700)
    (config / "all.yaml").write_text(CONFIG)
    path = str(state / "control.sock")
    with open(scratch / "daemon.log", "wb") as log:
        daemon = subprocess.Popen(
            [tminus, "run", "--config", config, "--state", state, "--socket", path], stdout=log, stderr=log)
    try:
        wait_for(path, daemon)
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=serve, args=(listener, path), daemon=True).start()
        port = listener.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        by_hand = check_by_hand(port)
        result = subprocess.run(
            [pathlib.Path(sys.executable).parent / "schemathesis", "run", f"{url}/openapi.json", "--url", url,
             "--max-examples", str(examples), "--seed", "1", "--generation-deterministic",
             "--phases", "examples,coverage,fuzzing", "--no-shrink", "--continue-on-failure",
             "--exclude-path", "/events", "--exclude-path", "/wait",
             "--exclude-path", "/file", "--exclude-path", "/definitions",
             "--request-timeout", "10", "--no-color"],
            timeout=LIMIT, check=False, cwd=scratch, stdin=subprocess.DEVNULL)
        if daemon.poll() is not None:
            print(f"check_api: the daemon ended with {daemon.returncode}", file=sys.stderr)
            return 1
        return result.returncode or by_hand
    finally:
        if daemon.poll() is None:
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(30)
            except subprocess.TimeoutExpired:
                daemon.kill()
        shutil.rmtree(scratch)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 60))
