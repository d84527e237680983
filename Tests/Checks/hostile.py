"""Requests that nobody should send, for check_doors.py: each is made from a random generator alone."""

import base64
import json
import string

ITEMS = ["tea", "tea", "tea", "run", "meeting", "none", "-", "a" * 70, "%2e%2e", "te%61", "%00", "é", "%C3%28"]
# Without /events, whose answer has no end.
GETS = [
    "/", "/items", "/items?limit=2&events=true", "/items/{}", "/items/{}/history?limit=3", "/items/{}/why", "/status",
    "/history?limit=3", "/deliveries?limit=5&state=dead&definition={}", "/files", "/file?path=a.yaml",
    "/file?path=../tokens", "/file?path={}", "/metrics", "/metrics/definitions?label=team:web&limit=2", "/healthz",
    "/readyz", "/openapi.json", "/session", "/sessions", "/wait", "/page/0/main.js", "/page/../../tokens",
    "/calendar.ics", "*", "//", "http://x/items", "/{}", "/items?after=9&clock=",
]
POSTS = [
    "/items/{}/" + action for action in ["start", "pause", "resume", "stop", "reset", "lap", "snooze", "skip", "mute",
                                         "unmute", "fire"]
] + ["/mute", "/unmute", "/timers", "/stopwatches", "/deliveries/discard", "/deliveries/retry", "/deliveries/{}/retry",
     "/deliveries/{}/discard", "/reload", "/definitions?dry-run=true", "/login", "/logout", "/codes", "/sessions"]
BODIES = [
    {}, {"for": "5m"}, {"add": "5m", "by": 3}, {"until": "2099-12-01T09:00:00Z"}, {"name": "Rice", "duration": "12m"},
    {"kind": "timer", "id": "egg", "file": "a.yaml", "definition": {"duration": "1h", "labels": {"a": "b"}}},
    {"dry-run": True}, {"token": "guess"}, {"code": "guess"}, [], "text", None, 1e308, {"then": {"shell": "true"}},
]
YAML = "timers:\n  tea: { duration: 3m, start: manual }\nevents: { meeting: { at: 2099-12-01 09:00 } }\n"
WORDS = [
    b"\r\n", b"\r\n\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b"%00", b"%2e%2e/", b"../", b"?", b"&", b"//", b"\\",
    b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"host: y\r\n", b"host:\r\n",
    b"content-length: 0\r\n", b"content-length: 65537\r\n", b"transfer-encoding: chunked\r\n", b"0\r\n\r\n",
    b"ffffffffffffffff\r\n", b"expect: 100-continue\r\n", b"upgrade: h2c\r\nconnection: upgrade\r\n",
    b"connection: close\r\n", b"\xff\xfe", b"\xe2\x80\xae", b"\\ud800", b"1e999", b"-1", b"99999999999999999999",
    b"null", b'{"', b"[" * 600, b"a" * 5000, b"&*anchor", b"!!python/object:", b"<<: *a", b"<script>",
]
VALUES = {
    "Host": ["127.0.0.1", "localhost", "a.localhost", "evil.example", "", "127.0.0.1:x", "[::1]", "[::", "@", "x, y"],
    "Origin": ["http://127.0.0.1", "null", "https://evil.example", "", "http://", "x"],
    "Sec-Fetch-Site": ["same-origin", "cross-site", "same-site", "none", "?"],
    "Sec-Fetch-Mode": ["navigate", "no-cors", ""], "Sec-Fetch-Dest": ["document", "script"],
    "Cookie": ["tminus=x", "tminus=" + "0" * 64, "; ; =", "tminus", "tminus=" + "\x7f" * 9, "__Host-tminus=é"],
    "Content-Type": ["application/json", "text/plain", "", "application/json; charset=x", "/"],
    "Accept": ["application/openmetrics-text", "text/event-stream", "*/*;q=x", ","],
    "Accept-Encoding": ["gzip", "gzip;q=0", "br, *", ";;"], "If-None-Match": ["*", '"x"', "W/", ""],
    "If-Match": ["*", '"x"', 'W/"x"', ""], "X-Forwarded-For": ["192.0.2.1", "::1, x", "", "127.0.0.1" * 40],
    "X-Forwarded-Proto": ["https", "x"], "X-Forwarded-Host": ["evil.example", "a, b"], "Forwarded": ["for=x"],
    "Last-Event-ID": ["x-1", "", "-"], "Range": ["bytes=0-1", "bytes=-"], "Connection": ["close", "keep-alive, te"],
    "TE": ["trailers"], "Trailer": ["x"], "Upgrade": ["websocket", "h2c"], "Expect": ["100-continue", "x"],
    "X": ["\t", "é", "a" * 20000],
}
# Lengths that two readers could understand in two ways. Only NIO's decoder reads them here.
TWO_WAYS = [
    "Transfer-Encoding: chunked\r\nContent-Length: {length}", "Content-Length: {length}\r\nTransfer-Encoding: chunked",
    "Content-Length: {length}\r\nContent-Length: 0", "Content-Length: 0\r\nContent-Length: {length}",
    "Content-Length: {length}\r\nTransfer-Encoding : chunked",
    "Transfer-Encoding: xchunked\r\nContent-Length: {length}",
    "Content-Length: +{length}", "Content-Length: {length}, 0", "Content-Length: 0x{length}", "Content-Length: -1",
    "Transfer-Encoding: chunked, identity\r\nContent-Length: {length}", "Transfer-Encoding: gzip, chunked, gzip",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: {length}",
    "Content-Length: {length}\r\n Transfer-Encoding: chunked", "Content-Length:\r\n", "Content-Length: {length} 1",
]
# A record of a handshake, type 22, with the beginning of a hello of TLS 1.2.
HELLO = bytes.fromhex("16030100c6010000c20303") + bytes(range(32)) + bytes.fromhex("20") + bytes(32) + bytes(
    [0, 4, 0x13, 1, 0x13, 2, 1, 0]) + bytes(120)


class Maker:
    """Makes requests. `chance` is a random.Random, `secrets` are the tokens that some of them carry."""

    def __init__(self, chance, secrets):
        self.chance, self.secrets = chance, secrets

    def mutated(self, data):
        """The bytes with some changes."""
        chance, data = self.chance, bytearray(data)
        for _ in range(chance.randint(1, 4)):
            at = chance.randint(0, len(data))
            kind = chance.random()
            if kind < 0.35:
                data[at:at] = chance.choice(WORDS)
            elif kind < 0.5:
                del data[at:at + chance.randint(1, 12)]
            elif kind < 0.65:
                data[at:at + 1] = bytes([chance.randrange(256)])
            elif kind < 0.8:
                start = chance.randint(0, len(data))
                data[at:at] = data[start:start + chance.randint(1, 60)]
            elif kind < 0.9:
                word = chance.choice(WORDS)
                data[at:at + len(word)] = word
            else:
                del data[at:]
        return bytes(data)

    def authorization(self):
        """What says who is there: most often a token, else a wrong one or none."""
        chance, token = self.chance, self.chance.choice(self.secrets)
        if chance.random() < 0.7:
            return f"Bearer {token}"
        basic = base64.b64encode(f"x:{token}".encode()).decode()
        return chance.choice([
            None, f"bearer  {token}", f"Basic {basic}", f"Bearer {token}x",
            f"Bearer {token[:-1]}", "Bearer", "Basic ====", "Digest x", "Bearer " + "a" * 9000, f"Basic {token}",
        ])

    def request(self, fields=()):
        """A request that is well formed, with fields that may be wrong."""
        chance = self.chance
        method = chance.choice(["GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"])
        body = b""
        if method == "PUT":
            name = chance.choice(["a", "new", "../x", ".a", "sub/a", "%00"])
            path = f"/file?path={name}.yaml" + chance.choice(["", "&dry-run=true", "&dry-run=x"])
            body = self.mutated(YAML.encode())
        elif method in ("POST", "PATCH"):
            path = chance.choice(POSTS)
            body = json.dumps(chance.choice(BODIES)).encode()
            if chance.random() < 0.5:
                body = self.mutated(body)
        else:
            path = chance.choice(["/items/{}", "/sessions/{}"] if method == "DELETE" else GETS)
        path = path.replace("{}", chance.choice(ITEMS))
        lines = {"Host": "127.0.0.1", "Authorization": self.authorization()}
        for name in chance.sample(list(VALUES), chance.choice([0, 0, 0, 1, 1, 2, 5])):
            lines[name] = chance.choice(VALUES[name])
        lines.update(fields)
        if body and chance.random() < 0.8:
            lines.setdefault("Content-Type", "application/json")
        if body and chance.random() < 0.2:
            cut = chance.randint(0, len(body))
            parts = [part for part in (body[:cut], body[cut:]) if part]
            body = b"".join(b"%x;x=y\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\nX: y\r\n\r\n"
            lines["Transfer-Encoding"] = "chunked"
        elif body:
            lines["Content-Length"] = str(len(body))
        text = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
        return f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode("utf-8", "replace") + body

    def flooding(self):
        """More fields, or longer ones, than anybody needs."""
        name = self.chance.choice(string.ascii_letters) * self.chance.choice([1, 900, 17000])
        count = self.chance.choice([90, 150, 3000]) if len(name) == 1 else 2
        return b"GET /items HTTP/1.1\r\nHost: x\r\n" + f"{name}: y\r\n".encode() * count + b"\r\n"

    def smuggled(self, inner):
        """A request that hides `inner` in a body whose end can be understood in two ways."""
        lengths = self.chance.choice(TWO_WAYS).format(length=len(inner) + 5)
        return f"POST /items/tea/start HTTP/1.1\r\nHost: 127.0.0.1\r\n{lengths}\r\n\r\n".encode() + b"0\r\n\r\n" + inner

    def handshake(self):
        """Something like the beginning of TLS."""
        return self.mutated(HELLO) if self.chance.random() < 0.8 else self.chance.randbytes(self.chance.randint(1, 400))
