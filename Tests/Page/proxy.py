"""A real nginx or Caddy before a daemon. It runs a text of Examples/proxies at places of its own."""

import functools
import http.client
import os
import pathlib
import random
import re
import shlex
import socket
import ssl
import subprocess
import tempfile
import time

EXAMPLES = sorted((pathlib.Path(__file__).parents[2] / "Examples/proxies").iterdir())
# The name in the examples. The browser is told where it is.
HOST = "timers.example.org"
# Seconds in which a proxy starts, answers, and ends.
LIMIT = 20

NGINX = """\
daemon off;
master_process off;
pid {root}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {root}/nginx-body;
    proxy_temp_path {root}/nginx-proxy;
    fastcgi_temp_path {root}/nginx-fastcgi;
    uwsgi_temp_path {root}/nginx-uwsgi;
    scgi_temp_path {root}/nginx-scgi;
    include {site};
}}
"""

# Caddy makes its certificates itself, and here asks nobody else for them.
CADDY = """\
{{
	admin off
	auto_https disable_redirects
	default_bind 127.0.0.1
	https_port {port}
	local_certs
	skip_install_trust
	storage file_system {root}/caddy
}}
import {site}
"""


class Proxy:
    """The proxy of one example. `options` are those that the daemon needs, as the example says; `url` is its page."""

    def __init__(self, example, root):
        self.root, self.port, self.process = root, free_port(), None
        self.is_nginx = example.name.startswith("nginx")
        own = f"127.0.0.1:{free_port()}"
        places = {
            "/run/tminus/": f"{root}/", "/etc/tminus/": f"{root}/", "/etc/ssl/timers/": f"{root}/",
            "127.0.0.1:9108": own, "10.0.0.5:9108": own, "10.0.0.2": "127.0.0.1",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
        }
        text = example.read_text()
        for place, replacement in places.items():
            text = text.replace(place, replacement)
        self.site = root / example.name
        self.site.write_text(text)
        for name in ("cert.pem", "tminus.pem"):
            (root / name).write_text(certificate()[0])
        (root / "key.pem").write_text(certificate()[1])
        if not self.is_nginx:
            # At its start Caddy deletes the empty folders of its storage, and so perhaps the one for the certificate
            # that it is about to write. It would try again a minute later. A folder with a file in it stays.
            certificates = root / "caddy/certificates/local" / HOST
            certificates.mkdir(parents=True)
            (certificates / "keep").touch()
        self.options = shlex.split(re.search("tminus run (.*)", text).group(1))
        self.path = self.options[self.options.index("--path") + 1] if "--path" in self.options else ""
        self.url = f"https://{HOST}:{self.port}{self.path}/"

    def start(self):
        """Starts it, unless it runs, and waits until it reaches the daemon."""
        if self.process is None:
            frame = self.root / "frame"
            text = NGINX if self.is_nginx else CADDY
            frame.write_text(text.format(root=self.root, site=self.site, port=self.port))
            nginx = ["/usr/sbin/nginx", "-p", self.root, "-e", "stderr", "-c", frame]
            command = nginx if self.is_nginx else ["caddy", "run", "--adapter", "caddyfile", "--config", frame]
            home = {**os.environ, "HOME": str(self.root)}
            with open(self.root / "proxy.log", "ab") as log:
                self.process = subprocess.Popen(command, stdout=log, stderr=log, env=home)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self.ask("healthz").status == 200:
                    return
            except OSError:
                pass
            # It tells nobody when it answers: ask again.
            time.sleep(0.02)
        raise AssertionError(f"the proxy does not answer:\n{(self.root / 'proxy.log').read_text()}")

    def stop(self):
        """Ends it."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT)

    def ask(self, path, method="GET", headers=None, body=None):
        """The answer to a request of a program: its head, and its text as `text`."""
        with self.connect() as connection:
            connection.request(method, f"{self.path}/{path}", headers=headers or {}, body=body)
            answer = connection.getresponse()
            answer.text = answer.read().decode()
            return answer

    def connect(self):
        """A connection of a program on another machine."""
        return Stranger(HOST, self.port, timeout=LIMIT)


class Stranger(http.client.HTTPSConnection):
    """A connection whose other end has an address that no daemon trusts: all of 127.0.0.0/8 is this machine."""

    def connect(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, source_address=("127.0.0.2", 0))
        self.sock = context.wrap_socket(plain, server_hostname=self.host)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def free_port():
    """A port that nobody uses, of those that the kernel gives to nobody."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def make_certificate(days=2):
    """A new certificate for the name of the examples and for this machine, and its key, by openssl(1)."""
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        subprocess.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", str(days), "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},IP:127.0.0.1",
                "-keyout", place / "key.pem", "-out", place / "cert.pem",
            ],
            check=True, capture_output=True, timeout=LIMIT,
        )
        return (place / "cert.pem").read_text(), (place / "key.pem").read_text()


@functools.cache
def certificate():
    """One certificate and key for all proxies."""
    return make_certificate()
