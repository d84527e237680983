"""How many webhooks a second are delivered to nginx."""

import contextlib
import http.client
import re
import shutil
import socket
import subprocess
import time

from daemon import Failed

from .part import Figure, Part, directory, events, sinks, sleep_until, soon, started

RATE = "webhooks, 16 connections"
SETTINGS = """\
daemon off; worker_processes 1; pid {root}/pid; error_log {root}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 10000000;
    client_body_temp_path {root}/body; proxy_temp_path {root}/proxy; fastcgi_temp_path {root}/fastcgi;
    uwsgi_temp_path {root}/uwsgi; scgi_temp_path {root}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{ return 200 'ok'; }}
        location /status {{ stub_status; }}
    }}
}}
"""


class Webhooks(Part):
    """40,000 at one instant; nginx counts the requests."""

    figures = (Figure(RATE, "/s", 12_000, more_is_better=True),)
    reference_name = "wrk -t1 -c16"

    def __enter__(self):
        nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if not nginx or not shutil.which("wrk"):
            raise Failed("webhooks: nginx and wrk are needed; scripts/setup.sh bench installs them")
        self.context = directory()
        self.root = self.context.__enter__()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        (self.root / "nginx.conf").write_text(SETTINGS.format(root=self.root, port=self.port))
        self.nginx = subprocess.Popen([nginx, "-p", self.root, "-c", self.root / "nginx.conf"])
        return self

    def __exit__(self, *error):
        self.nginx.terminate()
        self.nginx.wait()
        self.context.__exit__(*error)

    def measure(self, binary):
        with directory() as root:
            count = self.count(40_000)
            due = soon(count)
            sink = {"webhook": f"http://127.0.0.1:{self.port}/hook", "max-concurrent": 16}
            with started(binary, root, sinks(hook=sink) | events([due] * count, "hook")):
                # Each look is a request too.
                wanted, looks = self.served() + count, 1
                sleep_until(due)
                while self.served() < wanted + looks:
                    looks += 1
                    if time.time() > due + 120:
                        raise Failed("webhooks: not all requests came within 120 s")
                    time.sleep(0.05)
                return {RATE: count / (time.time() - due)}

    def served(self):
        """How many requests nginx has served."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            connection.request("GET", "/status")
            return int(connection.getresponse().read().split(b"\n")[2].split()[2])

    def reference(self):
        command = ["wrk", "-t1", "-c16", f"-d{max(1, round(3 * self.size))}s", f"http://127.0.0.1:{self.port}/hook"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return {RATE: float(re.search(r"Requests/sec:\s*([0-9.]+)", printed)[1])}
