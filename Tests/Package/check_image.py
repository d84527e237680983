#!/usr/bin/env python3
"""Makes the image of a package twice, and runs what is in it as its user: no engine, a read-only root. Needs root.

usage: check_image.py PACKAGES VERSION
"""

import argparse
import contextlib
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 65532
LIMIT = 30

DEFINITIONS = """sinks:
  plain: {{ webhook: "http://127.0.0.1:{plain}/" }}
  secure: {{ webhook: "https://127.0.0.1:{secure}/", ca-file: /etc/tminus/ca.pem }}
  command: {{ shell: "true" }}
timers:
  hello: {{ duration: 1s, on-expiry: [plain, secure, command] }}
"""
# What an engine does: the root read-only, state, /tmp and /proc apart, the user of the image.
ENGINE = """mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/tmp"
mount -t tmpfs -o mode=700,uid={user},gid={user} tmpfs "$1/var/lib/tminus"
mount --bind "$2" "$1/etc/tminus"
mount -o remount,bind,ro "$1"
cd "$1/var/lib/tminus"
root=$1
shift 2
exec chroot --userspec={user}:{user} "$root" /usr/bin/tminus "$@"
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=pathlib.Path, help="the directory with the .deb")
    parser.add_argument("version")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("check_image: making and running an image needs root")
    package = max(options.packages.glob("tminus_*.deb"), key=lambda file: file.stat().st_mtime)
    with tempfile.TemporaryDirectory(prefix="tminus-image-") as directory:
        place = pathlib.Path(directory)
        digests = []
        for name in ("one", "two"):
            subprocess.run([ROOT / "scripts/image.sh", package, options.version, place / name], check=True)
            index = json.loads((place / name / "index.json").read_text(encoding="utf-8"))
            digests.append(index["manifests"][0]["digest"])
        problems = [] if digests[0] == digests[1] else [f"two images of one package differ: {digests}"]
        image = f"{place}/one:{options.version}"
        subprocess.run(["umoci", "unpack", "--image", image, place / "bundle"], check=True)
        config = json.loads((place / "bundle/config.json").read_text(encoding="utf-8"))
        problems += check_config(config)
        problems += run(place, place / "bundle/rootfs", config["process"]["args"][1:])
        size = sum(file.stat().st_size for file in (place / "one/blobs/sha256").iterdir())
    for problem in problems:
        print(f"check_image: {problem}", file=sys.stderr)
    if not problems:
        print(f"{digests[0]}, {size / 1e6:.1f} MB: made twice, delivers over HTTP and TLS as user {USER}, has no shell")
    return 1 if problems else 0


def check_config(config):
    user = config["process"]["user"]
    if (user["uid"], user["gid"]) != (USER, USER):
        yield f"runs as {user}"
    if config["process"]["args"][:2] != ["/usr/bin/tminus", "run"]:
        yield f"starts {config['process']['args']}"


def run(place, root, arguments):
    """Delivers a timer to two webhooks and to a command that cannot run."""
    definitions = place / "definitions"
    definitions.mkdir(mode=0o755)
    subprocess.run(["sh", ROOT / "Tests/TestServer/certificates.sh", definitions], check=True, capture_output=True)
    with receiver() as (plain, received), receiver(definitions / "good.chain.pem") as (secure, received_securely):
        text = DEFINITIONS.format(plain=plain, secure=secure)
        (definitions / "hello.yaml").write_text(text, encoding="utf-8")
        with (place / "log").open("wb") as log:
            command = ["unshare", "--mount", "bash", "-euc", ENGINE.format(user=USER), "engine", root, definitions]
            daemon = subprocess.Popen([*command, *arguments], stdout=log, stderr=subprocess.STDOUT)
            try:
                arrived = received.wait(LIMIT) and received_securely.wait(LIMIT)
                refused = waited(lambda: "'/bin/sh' cannot be found" in (place / "log").read_text(encoding="utf-8"))
            finally:
                daemon.terminate()
                status = daemon.wait(LIMIT)
        log = (place / "log").read_text(encoding="utf-8")
    for is_right, problem in (
        (arrived, "a webhook got nothing"),
        (refused, "no word that /bin/sh cannot be found"),
        (status == 0, f"ended with {status}"),
    ):
        if not is_right:
            yield f"{problem}; the log:\n{log}"


def waited(condition):
    end = time.monotonic() + LIMIT
    while not condition() and time.monotonic() < end:
        # What a container does tells nobody: look again.
        time.sleep(0.1)
    return condition()


@contextlib.contextmanager
def receiver(certificate=None):
    """A server that takes one payload: its port, and an event that says that it came."""
    received = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()
            if payload["data"]["id"] == "hello":
                received.set()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1], received
    finally:
        server.shutdown()


if __name__ == "__main__":
    sys.exit(main())
