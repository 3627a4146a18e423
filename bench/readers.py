"""Many WebSocket readers in one process that cost next to nothing, so that the server is measured.

A library would parse and decode every frame two hundred times; these only find where a frame ends
and whether it is the one that is waited for.
"""

import base64
import os
import selectors
import socket
import struct
from typing import Self

SECONDS = 30.0
PING, PONG, CLOSE = 9, 10, 8


class Reader:
    """One connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        rest = f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        self.socket.sendall(f"{head}{rest}\r\n".encode())
        self._data = bytearray()
        while b"\r\n\r\n" not in self._data:
            self._data += self._receive()
        answer, _, left = bytes(self._data).partition(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise RuntimeError(f"the server said {answer.splitlines()[0]!r}")
        self._data = bytearray(left)

    def send(self, text: str) -> None:
        """Send a text frame; a mask of zeros is a mask."""
        self._send(1, text.encode())

    def wait(self, wanted: bytes) -> None:
        """Read until a frame holds these bytes."""
        while not self.found(wanted):
            self._data += self._receive()

    def read(self, wanted: bytes) -> int:
        """Take what has come; return how many frames hold these bytes."""
        self._data += self._receive()
        return self.found(wanted)

    def found(self, wanted: bytes) -> int:
        """How many of the frames that have come hold these bytes; all of them are taken."""
        count = 0
        while (frame := self._frame()) is not None:
            opcode, payload = frame
            if opcode == PING:
                self._send(PONG, payload)
            elif opcode == CLOSE:
                raise RuntimeError(f"the server closed the connection: {payload!r}")
            elif wanted in payload:
                count += 1
        return count

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        start, length = 2, data[1] & 127
        if length > 125:
            start = 4 if length == 126 else 10
            if len(data) < start:
                return None
            length = int.from_bytes(data[2:start], "big")
        if len(data) < start + length:
            return None
        frame = data[0] & 15, bytes(data[start : start + length])
        del data[: start + length]
        return frame

    def _send(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        length = struct.pack("!B", 128 | size) if size < 126 else struct.pack("!BH", 254, size)
        self.socket.sendall(bytes([128 | opcode]) + length + bytes(4) + payload)

    def _receive(self) -> bytes:
        data = self.socket.recv(65536)
        if not data:
            raise RuntimeError("the server closed the connection")
        return data


class Crowd:
    """Readers that wait together."""

    def __init__(self, port: int, count: int, hello: str, ready: bytes) -> None:
        self.readers = [Reader(port) for _ in range(count)]
        self._selector = selectors.DefaultSelector()
        for reader in self.readers:
            reader.send(hello)
            reader.wait(ready)
            self._selector.register(reader.socket, selectors.EVENT_READ, reader)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for reader in self.readers:
            reader.socket.close()

    def all_hear(self, wanted: bytes) -> None:
        """Wait until every reader has had one frame that holds these bytes."""
        left = len(self.readers)
        while left:
            events = self._selector.select(SECONDS)
            if not events:
                raise TimeoutError(f"{left} readers heard nothing")
            left -= sum(key.data.read(wanted) for key, _ in events)
