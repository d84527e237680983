"""Certificates that are exchanged while requests are answered."""

import datetime
import http.client
import pathlib
import re
import ssl
import subprocess
import tempfile
import threading
import time

import pytest

from daemon import CONFIG, Daemon
from proxy import certificate, make_certificate

pytestmark = pytest.mark.proxies

CERTIFICATES = pathlib.Path(__file__).parents[1] / "TestServer/certificates.sh"
LIMIT = 30


class Load:
    """Clients that ask without a pause: some on one connection each, some on a new one for each request.

    `seen` has the certificates, as bytes, that new connections were shown, in their order.
    """

    def __init__(self, port, trusted):
        self.port, self.context = port, ssl.create_default_context(cadata="".join(trusted))
        self.seen, self.failures, self.answers = [], [], [0] * 6
        self.over = threading.Event()
        work = [self.keep] * 3 + [self.renew] * 3
        self.threads = [threading.Thread(target=self.run, args=(one, place)) for place, one in enumerate(work)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(LIMIT)

    def run(self, work, place):
        try:
            work(place)
        except (OSError, http.client.HTTPException, AssertionError) as error:
            self.failures.append(f"{work.__name__}: {error!r}")

    def open(self):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=LIMIT, context=self.context)
        connection.connect()
        return connection

    def ask(self, connection, place):
        connection.request("GET", "/items")
        answer = connection.getresponse()
        assert answer.status == 200 and b'"tea"' in answer.read(), answer.status
        self.answers[place] += 1

    def keep(self, place):
        connection = self.open()
        own = connection.sock
        while not self.over.is_set():
            self.ask(connection, place)
            # Otherwise http.client has opened another one by itself.
            assert connection.sock is own, "the connection was closed"
        connection.close()

    def renew(self, place):
        while not self.over.is_set():
            connection = self.open()
            shown = connection.sock.getpeercert(binary_form=True)
            self.ask(connection, place)
            self.seen.append(shown)
            connection.close()

    def wait(self, what):
        """Waits until each client had two more answers, so that one of them was asked for after this moment."""
        self.until(lambda before=tuple(self.answers): all(
            now >= former + 2 for now, former in zip(self.answers, before, strict=True)), what)

    def until(self, holds, what):
        end = time.monotonic() + LIMIT
        while not holds():
            assert not self.failures, self.failures
            assert time.monotonic() < end, f"waited {LIMIT} s for {what}"
            # The clients and the log of the daemon tell nobody: look again.
            time.sleep(0.01)


def replace(directory, name, text):
    """Gives a file another content at once, as a program that renews certificates does."""
    (directory / f".{name}.new").write_text(text)
    (directory / f".{name}.new").rename(directory / name)


@pytest.fixture
def daemon(tmp_path):
    """A daemon that speaks TLS with the certificate in the directory."""
    for name, text in zip(("cert.pem", "key.pem"), certificate(), strict=True):
        replace(tmp_path, name, text)
    daemon = Daemon(CONFIG, "--tls-cert", tmp_path / "cert.pem", "--tls-key", tmp_path / "key.pem")
    yield daemon
    daemon.remove()


def test_no_request_fails_while_certificates_are_exchanged(daemon, tmp_path):
    pairs = [make_certificate() for _ in range(10)]
    with Load(daemon.port, [certificate()[0], *(text for text, _ in pairs)]) as load:
        load.wait("the first answers")
        for text, key in pairs:
            replace(tmp_path, "cert.pem", text)
            # Requests come in between, too, when the key is that of the former certificate.
            load.wait("answers with half of the new pair")
            replace(tmp_path, "key.pem", key)
            load.wait("answers with the new pair")
            assert load.seen[-1] == ssl.PEM_cert_to_DER_cert(text)
    assert not load.failures, load.failures
    assert len(daemon.logged("certificate exchanged", len(pairs))) == len(pairs)


@pytest.mark.parametrize("name", ["cert.pem", "key.pem"])
@pytest.mark.parametrize("broken", ["nonsense", "", None], ids=["nonsense", "empty", "missing"])
def test_a_broken_certificate_is_told_once_and_not_taken(daemon, tmp_path, name, broken):
    text, key = make_certificate()
    former = ssl.PEM_cert_to_DER_cert(certificate()[0])
    with Load(daemon.port, [certificate()[0], text]) as load:
        load.wait("the first answers")
        if broken is None:
            (tmp_path / name).unlink()
        else:
            replace(tmp_path, name, broken)
        load.until(lambda: "the former certificate stays in force" in daemon.log(), "the line of the log")
        load.wait("answers after it was broken")
        assert set(load.seen) == {former}
        (line,) = daemon.logged("stays in force")
        assert f"{tmp_path / name}" in line, line
        # What comes to rights is taken.
        replace(tmp_path, "cert.pem", text)
        replace(tmp_path, "key.pem", key)
        load.until(lambda: load.seen[-1] == ssl.PEM_cert_to_DER_cert(text), "the new certificate")
    assert not load.failures, load.failures


def test_a_certificate_of_another_key_is_not_taken(daemon, tmp_path):
    text, _ = make_certificate()
    with Load(daemon.port, [certificate()[0], text]) as load:
        replace(tmp_path, "cert.pem", text)
        load.until(lambda: "it is not the key of the certificate" in daemon.log(), "the line of the log")
        load.wait("answers with half of a pair")
    assert not load.failures, load.failures
    assert set(load.seen) == {ssl.PEM_cert_to_DER_cert(certificate()[0])}


def make_expired():
    """A certificate that ended yesterday, its key, who signed it, and the second of its end."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["sh", CERTIFICATES, directory], check=True, capture_output=True, timeout=LIMIT)
        names = ("expired.pem", "expired.key", "ca.pem")
        text, key, authority = [(pathlib.Path(directory) / name).read_text() for name in names]
        told = subprocess.run(
            ["openssl", "x509", "-noout", "-enddate"], input=text, check=True, capture_output=True, text=True,
            timeout=LIMIT).stdout
    return text, key, authority, ssl.cert_time_to_seconds(told.strip().removeprefix("notAfter="))


def expiry(port):
    """What the metrics say of the end of the certificate, and the certificate that was shown."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=LIMIT, context=context)
    connection.connect()
    shown = connection.sock.getpeercert(binary_form=True)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    found = re.search(r"^tminus_tls_certificate_expiry_timestamp_seconds (\S+)$", text, re.M)
    return float(found[1]), shown


def test_an_expired_certificate_is_used_refused_by_clients_and_told_in_the_metrics(daemon, tmp_path):
    text, key, authority, end = make_expired()
    assert end < time.time()
    at_first, _ = expiry(daemon.port)
    assert time.time() < at_first < time.time() + 3 * 86_400
    # The key alone is of no use, so both are exchanged before the next connection.
    replace(tmp_path, "cert.pem", text)
    replace(tmp_path, "key.pem", key)
    assert expiry(daemon.port) == (end, ssl.PEM_cert_to_DER_cert(text))
    (line,) = daemon.logged("certificate exchanged")
    when = datetime.datetime.fromtimestamp(end, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    assert f"expires={when}" in line, line
    warning = "warning: the certificate has expired, so clients refuse it"
    (line,) = daemon.logged(warning)
    assert f"expired={when}" in line, line
    refused = ssl.create_default_context(cadata=authority)
    with pytest.raises(ssl.SSLCertVerificationError, match="expired"):
        http.client.HTTPSConnection("127.0.0.1", daemon.port, timeout=LIMIT, context=refused).connect()
    # It starts with such a pair, too, and a renewed one helps it at once.
    daemon.stop()
    daemon.start()
    assert expiry(daemon.port) == (end, ssl.PEM_cert_to_DER_cert(text))
    assert len(daemon.logged(warning, 2)) == 2
    text, key = make_certificate()
    replace(tmp_path, "cert.pem", text)
    replace(tmp_path, "key.pem", key)
    now, shown = expiry(daemon.port)
    assert now > time.time() and shown == ssl.PEM_cert_to_DER_cert(text)
