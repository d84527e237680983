"""HTTP/2 frame by frame (RFC 9113): a client, and what no client should send.

For check_doors.py, and for HTTP2Tests.swift.
"""

import contextlib
import socket
import ssl
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS = 1, 1, 4
NO_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 0, 7, 8, 11
TABLE_SIZE, WINDOW_SIZE = 1, 4
WINDOW = 65_535
# The values of `:status` in the static table (RFC 7541, appendix A), and of the digits in Huffman's code (appendix B).
STATUSES = dict(zip(range(8, 15), (200, 204, 206, 304, 400, 404, 500), strict=True))
DIGITS = {f"{code:05b}": code for code in range(3)} | {f"{22 + digit:06b}": digit for digit in range(3, 10)}


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(values=()):
    return frame(SETTINGS, payload=b"".join(struct.pack(">HI", *pair) for pair in dict(values).items()))


def reset(stream, code=CANCEL):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def window(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


def integer(number, bits, first=0):
    """A number with a prefix of some bits in the byte `first` (RFC 7541, section 5.1)."""
    most = (1 << bits) - 1
    if number < most:
        return bytes([first | number])
    number -= most
    data = bytes([first | most])
    while number >= 128:
        data += bytes([number % 128 | 128])
        number //= 128
    return data + bytes([number])


def block(fields):
    """Header fields, none of which goes into a table."""
    texts = [text.encode("utf-8", "replace") if isinstance(text, str) else text for pair in fields for text in pair]
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return b"".join(b"\0" + integer(len(name), 7) + name + integer(len(value), 7) + value for name, value in pairs)


def head(method, path, fields=(), authority="localhost"):
    """The header block of a request."""
    pseudo = {":method": method, ":scheme": "https", ":authority": authority, ":path": path}
    return block([*pseudo.items(), *dict(fields).items()])


def request(stream, method, path, fields=(), body=None):
    """The frames of a request."""
    flags = END_HEADERS | (END_STREAM if body is None else 0)
    data = frame(HEADERS, flags, stream, head(method, path, fields))
    return data if body is None else data + frame(DATA, END_STREAM, stream, body)


def status(payload):
    """The status in the header block of an answer to a client without a table; None if it has none."""
    while payload and payload[0] >> 5 == 1:
        # A new size of the table, below 31.
        payload = payload[1:]
    if not payload or payload[0] & 0x80:
        return STATUSES.get(payload[0] & 0x7F) if payload else None
    value = payload[2:2 + (payload[1] & 0x7F)]
    if not payload[1] & 0x80:
        return int(value)
    digits, bits = "", "".join(f"{byte:08b}" for byte in value)
    while len(digits) < 3:
        length = next(length for length in (5, 6) if bits[:length] in DIGITS)
        digits, bits = digits + str(DIGITS[bits[:length]]), bits[length:]
    return int(digits)


class Client:
    """A connection by TLS. It answers settings and pings as it reads, and gives new room."""

    def __init__(self, port, limit, values=()):
        context = ssl._create_unverified_context()
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", port), limit),
                                          server_hostname="localhost")
        if (chosen := self.socket.selected_alpn_protocol()) != "h2":
            raise ConnectionError(f"the server speaks {chosen}")
        self.raw, self.unread = b"", b""
        self.socket.sendall(PREFACE + settings({TABLE_SIZE: 0} | dict(values)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *parts):
        self.socket.sendall(b"".join(parts))

    def frames(self):
        """The frames up to the end of the connection: kind, flags, stream, payload."""
        while True:
            while len(self.unread) < 9 or len(self.unread) < (end := 9 + int.from_bytes(self.unread[:3], "big")):
                if not (part := self.socket.recv(65_536)):
                    return
                self.raw += part
                self.unread += part
            kind, flags, stream = self.unread[3], self.unread[4], int.from_bytes(self.unread[5:9], "big")
            payload, self.unread = self.unread[9:end], self.unread[end:]
            self.answer(kind, flags, stream, payload)
            yield kind, flags, stream, payload

    def answer(self, kind, flags, stream, payload):
        # The server may have closed it already.
        with contextlib.suppress(OSError):
            if kind in (SETTINGS, PING) and not flags & ACK:
                self.send(frame(kind, ACK, 0, payload if kind == PING else b""))
            if kind == DATA and payload:
                self.send(window(0, len(payload)), b"" if flags & END_STREAM else window(stream, len(payload)))

    def answers(self, streams):
        """Reads until each of the streams has ended, or the connection has.

        Returns the status and the body of each; the negative code is the status of one that was reset.
        """
        found = {stream: [None, b""] for stream in streams}
        left = set(streams)
        for kind, flags, stream, payload in self.frames() if left else ():
            if stream not in left:
                continue
            if kind == HEADERS and found[stream][0] is None:
                found[stream][0] = status(payload)
            elif kind == DATA:
                found[stream][1] += payload
            elif kind == RST_STREAM:
                found[stream][0] = -int.from_bytes(payload, "big")
            if kind == RST_STREAM or (kind in (DATA, HEADERS) and flags & END_STREAM):
                left.discard(stream)
            if not left:
                break
        return found


def floods():
    """What the server must end with an error, by name."""
    post = frame(HEADERS, END_HEADERS, 1, head("POST", "/login", {"content-type": "application/json"}))
    # One large entry of the table, then a reference to it in each byte.
    bomb = b"\x40" + integer(1, 7) + b"x" + integer(3_000, 7) + b"y" * 3_000 + b"\xbe" * 3_000
    streams = range(1, 2_001, 2)
    return {
        "resets": b"".join(request(stream, "GET", "/items") + reset(stream) for stream in streams),
        "pings": frame(PING, payload=bytes(8)) * 1_000,
        "settings": settings({WINDOW_SIZE: WINDOW}) * 1_000,
        "priorities": frame(PRIORITY, 0, 1, bytes(5)) * 1_000,
        "empty data": post + frame(DATA, 0, 1) * 100,
        "continuations": frame(HEADERS, 0, 1, head("GET", "/items"))
        + frame(CONTINUATION, 0, 1, block([("x", "y")])) * 100,
        "large headers": frame(HEADERS, 0, 1, head("GET", "/items", {"x": "y" * 16_000}))
        + frame(CONTINUATION, END_HEADERS, 1, block([("x", "y" * 16_000)])),
        "a bomb": frame(HEADERS, END_HEADERS | END_STREAM, 1, head("GET", "/items") + bomb),
        "damaged streams": b"".join(frame(HEADERS, END_HEADERS | END_STREAM, stream, block([("X", "y")]))
                                    for stream in streams),
        "too much room": window(0, 0x7FFFFFFF) * 2,
        "no room": window(0, 0),
        "a large frame": frame(PING, payload=bytes(20_000)),
        "data of no stream": frame(DATA, END_STREAM, 1, b"{}"),
        "a stream of the server": request(2, "GET", "/items"),
        "a promise": frame(PUSH_PROMISE, END_HEADERS, 1, bytes(4) + head("GET", "/items")),
        "a damaged block": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff" * 40),
        "another protocol": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2,
    }


# What other readers take for the beginning of something else.
CONNECTION_FIELDS = ("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade")


class FrameMaker:
    """Makes frames from the requests of a Maker of hostile.py. `chance` is a random.Random."""

    def __init__(self, chance, maker):
        self.chance, self.maker = chance, maker

    def translated(self, stream):
        """A request of the maker as frames, well formed unless its fields are not."""
        chance = self.chance
        start, _, body = self.maker.request({"Transfer-Encoding": None}).partition(b"\r\n\r\n")
        line, *lines = start.decode("utf-8", "replace").split("\r\n")
        method, path = line.split(" ")[:2]
        fields = dict(field.split(": ", 1) if ": " in field else (field.rstrip(":"), "") for field in lines)
        fields = {name.lower(): value for name, value in fields.items()}
        authority = fields.pop("host", "")
        for name in CONNECTION_FIELDS:
            if chance.random() < 0.9:
                fields.pop(name, None)
        if "te" in fields and chance.random() < 0.9:
            del fields["te"]
        if chance.random() < 0.3:
            fields.pop("content-length", None)
        data = head(method, path, fields, authority)
        cut = chance.randint(0, len(data)) if chance.random() < 0.2 else len(data)
        ends = END_STREAM if not body else 0
        frames = [frame(HEADERS, ends | (END_HEADERS if cut == len(data) else 0), stream, data[:cut])]
        if cut < len(data):
            frames.append(frame(CONTINUATION, END_HEADERS, stream, data[cut:]))
        if body:
            frames.append(frame(DATA, END_STREAM, stream, body))
        return frames

    def several(self):
        """The frames of some requests, and the streams of these."""
        streams = range(1, 2 * self.chance.randint(1, 12), 2)
        return [part for stream in streams for part in self.translated(stream)], streams

    def damaged(self):
        """Some requests with damage, in frames or in bytes."""
        chance = self.chance
        frames, _ = self.several()
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(frames))
            part = bytearray(frames[at])
            # One that was cut short has no header to damage.
            kind = chance.uniform(0 if len(part) >= 9 else 0.7, 1)
            if kind < 0.15:
                part[3] = chance.randrange(12)
            elif kind < 0.3:
                part[4] = chance.randrange(256)
            elif kind < 0.4:
                part[5:9] = struct.pack(">I", chance.choice([0, 1, 2, 3, 5, 99, 0x7FFFFFFF, 0x80000001]))
            elif kind < 0.5:
                part[:3] = struct.pack(">I", chance.choice([0, 1, len(part), 16_384, 16_385, 0xFFFFFF]))[1:]
            elif kind < 0.7:
                part[9:] = self.maker.mutated(bytes(part[9:]))
            elif kind < 0.8:
                frames.insert(at, bytes(part))
            elif kind < 0.9:
                frames.insert(chance.randrange(len(frames)), self.control())
            else:
                part = part[:chance.randint(0, len(part))]
            frames[at] = bytes(part)
        return b"".join(frames)

    def control(self):
        """A frame that is no request, right or wrong."""
        chance = self.chance
        stream = chance.choice([0, 1, 3, 4, 101])
        number = struct.pack(">I", chance.choice([0, 1, 7, 65_535, 0x7FFFFFFF, 0xFFFFFFFF]))
        return chance.choice([
            frame(RST_STREAM, 0, stream, number), frame(WINDOW_UPDATE, 0, stream, number),
            frame(SETTINGS, 0, stream, struct.pack(">H", chance.randint(0, 9)) + number), frame(SETTINGS, ACK, stream),
            frame(PING, chance.choice([0, ACK]), stream, bytes(chance.choice([0, 7, 8, 9]))),
            frame(GOAWAY, 0, stream, number + number), frame(PRIORITY, 0, stream, number + b"\1"),
            frame(PUSH_PROMISE, END_HEADERS, stream, number + head("GET", "/items")),
            frame(chance.randint(10, 255), 0, stream, chance.randbytes(chance.randint(0, 40))),
        ])
