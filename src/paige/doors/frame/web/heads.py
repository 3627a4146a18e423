"""Keeps the head of a request short: uvicorn's faster reader of HTTP takes one of any length.

Counted are the bytes since something was understood, so the lines after a body and the words
between its parts are limited too.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

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
