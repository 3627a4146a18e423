"""uvicorn's readers of HTTP and WebSockets, each with what Paige needs more.

The head of a request stays short: uvicorn's faster reader of HTTP takes one of any length. Counted
are the bytes since something was understood, so the lines after a body and the words between its
parts are limited too.

A frame for two hundred windows is written where it is told, while they read fast enough: waking two
hundred tasks costs more than writing.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from paige.doors.frame.web.hub import AT_ONCE

MOST_HEAD = 64 * 2**10


class ShortHeads(HttpToolsProtocol):
    """uvicorn's protocol, except that an endless head ends the connection."""

    _unread = 0

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it leads nowhere."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response(f"The head of a request has at most {MOST_HEAD // 1024} KiB.")

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand a part of the body on."""
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Be ready for the next request."""
        self._unread = 0
        super().on_message_complete()


class PromptSockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol, except that a frame may be sent without waiting for anything."""

    async def run_asgi(self) -> None:
        """Let the application know how."""
        self.scope[AT_ONCE] = self.send_at_once  # type: ignore[typeddict-unknown-key] - our own
        await super().run_asgi()

    def send_at_once(self, text: str) -> bool:
        """Send a frame if there is room for it; else nothing happens."""
        gone = self.conn.state is not State.OPEN or self.transport.is_closing()
        if gone or not self.writable.is_set():
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True
