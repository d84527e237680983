"""What lies between a daemon and the database: a proxy that reads the messages of the client and can cut, delay and
drop. It works for every user, on every kernel; a namespace of the network needs root and knows no COMMIT."""

import asyncio
import contextlib
import struct
import threading

# How long a server may take to execute a COMMIT whose answer is dropped.
EXECUTION = 10


class Statements:
    """Follows what a client sends, as far as needed to see the COMMIT of a transaction that writes."""

    def __init__(self):
        self.buffer = b""
        self.is_started = False
        self.prepared = {}
        self.writes = False

    def feed(self, data):
        """Whether the data have the COMMIT of a transaction that writes."""
        self.buffer += data
        commits = False
        while True:
            head = 1 if self.is_started else 0
            if len(self.buffer) < head + 4:
                return commits
            (length,) = struct.unpack_from("!i", self.buffer, head)
            if len(self.buffer) < head + length:
                return commits
            kind, body = self.buffer[:head], self.buffer[head + 4:head + length]
            self.buffer = self.buffer[head + length:]
            # The first message has no kind. TLS and GSS are switched off by the address.
            self.is_started = True
            commits |= self.is_commit(kind, body)

    def is_commit(self, kind, body):
        if kind == b"P":
            name, text = body.split(b"\0")[:2]
            self.prepared[name] = text
        elif kind in (b"B", b"Q"):
            text = self.prepared.get(body.split(b"\0")[1], b"") if kind == b"B" else body.rstrip(b"\0")
            if text.startswith(b"BEGIN"):
                self.writes = not text.endswith(b"READ ONLY")
            return text == b"COMMIT" and self.writes
        return False


class Proxy:
    """Listens on `port` and passes on to the socket of the database.

    `drop` is `after` or `before`: the next COMMIT of a transaction that writes reaches the server or not, and its
    client loses the connection without an answer. `dropped` counts them. Members change on the thread of the loop.
    """

    loop = None

    def __init__(self, database):
        self.database = database
        self.is_silent = self.refuses = False
        self.delay = 0.0
        self.drop = None
        self.dropped = {"after": 0, "before": 0}
        self.connections = set()
        self.opened = None
        self.server = self.run(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]

    @classmethod
    def run(cls, routine):
        """The result of a routine on the thread of all proxies."""
        if cls.loop is None:
            cls.loop = asyncio.new_event_loop()
            threading.Thread(target=cls.loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(routine, cls.loop).result(timeout=30)

    def arm(self, drop):
        async def change():
            self.drop = drop
        self.run(change())

    def set_delay(self, delay):
        async def change():
            self.delay = delay
        self.run(change())

    def cut(self, is_silent):
        """Cuts the daemon off: packets vanish, or its connections are reset and none is accepted."""
        async def change():
            self.opened = asyncio.Event()
            self.is_silent, self.refuses = is_silent, not is_silent
            if self.refuses:
                self.reset()
        self.run(change())

    def heal(self):
        """Passes everything on again. What was sent while packets vanished arrives now, as TCP sends it again."""
        async def change():
            self.is_silent = self.refuses = False
            self.delay, self.drop = 0.0, None
            if self.opened:
                self.opened.set()
        self.run(change())

    def reset(self):
        for writer in self.connections:
            writer.transport.abort()

    async def serve(self, reader, writer):
        with contextlib.suppress(OSError):
            if self.refuses:
                writer.transport.abort()
                return
            await self.pass_silence()
            upper_reader, upper_writer = await asyncio.open_unix_connection(str(self.database.socket))
            link = Link(self, writer, upper_writer)
            both = {writer, upper_writer}
            self.connections |= both
            try:
                await asyncio.gather(link.up(reader), link.down(upper_reader))
            finally:
                self.connections -= both
        writer.transport.abort()

    async def pass_silence(self):
        while self.is_silent:
            await self.opened.wait()
        if self.delay:
            # The delay is the fault.
            await asyncio.sleep(self.delay)


class Link:
    """One connection of a daemon, in both directions."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.statements = Statements()
        self.executed = None

    async def up(self, reader):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                commits = self.statements.feed(data)
                await self.proxy.pass_silence()
                if commits and self.proxy.drop:
                    await self.lose(data)
                    break
                self.server.write(data)
                await self.server.drain()
        self.end()

    async def lose(self, data):
        """The client gets no answer to the COMMIT in these data."""
        drop, self.proxy.drop = self.proxy.drop, None
        if drop == "after":
            self.executed = asyncio.Event()
            self.server.write(data)
            try:
                await asyncio.wait_for(self.executed.wait(), EXECUTION)
            except TimeoutError:
                return
        self.proxy.dropped[drop] += 1

    async def down(self, reader):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if self.executed is not None:
                    # The tag of a COMMIT that was executed.
                    if b"COMMIT\0" in data:
                        self.executed.set()
                    continue
                await self.proxy.pass_silence()
                self.client.write(data)
                await self.client.drain()
        if self.executed is None:
            self.end()

    def end(self):
        for writer in (self.client, self.server):
            writer.transport.abort()
