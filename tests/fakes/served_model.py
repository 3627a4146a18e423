"""The model server in a thread of its own, for tests that start real programs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from anyio.from_thread import start_blocking_portal

from tests.fakes.model_server import Json, ModelServer, Recorded, Reply, Silence, Sse
from tests.fakes.wire_bodies import ANTHROPIC

KEY = "sk-ant-fake"


class ServedModel:
    """A model that answers programs over loopback, and can be made to keep silent."""

    def __init__(self, server: ModelServer) -> None:
        self._server = server
        self.asked = threading.Event()

    @property
    def variables(self) -> dict[str, str]:
        """What a program must know to ask this model."""
        return {"ANTHROPIC_API_KEY": KEY, "PAIGE_BASE_URL": self._server.url}

    @property
    def requests(self) -> list[Recorded]:
        """Every request so far."""
        return self._server.requests

    @property
    def url(self) -> str:
        """Where it answers."""
        return self._server.url

    def answers_with(self, function: Callable[[Recorded], Reply]) -> None:
        """Answer every question by a function."""
        self._server.answer_with(function)

    def answers(self, *replies: Json | Sse) -> None:
        """Play these replies, in order; one more question is a mistake of the test."""
        waiting = list(replies)
        self._server.answer_with(lambda request: waiting.pop(0))

    def says(self, text: str) -> None:
        """Answer every question with one text, streamed when asked so."""
        self._server.answer_with(lambda request: spoken(request, text))

    def keeps_silent(self) -> None:
        """Take a question and never answer it; `asked` is set when it has come."""
        self.asked.clear()

        def silence(request: Recorded) -> Reply:
            self.asked.set()
            return Silence()

        self._server.answer_with(silence)


def spoken(request: Recorded, text: str) -> Reply:
    """A text as the request wants it."""
    if request.body.get("stream"):
        return ANTHROPIC.text_stream(*(f"{word} " for word in text.split()))
    return ANTHROPIC.answer(text)


@contextmanager
def served_model() -> Iterator[ServedModel]:
    """Serve until the end of the block."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(ModelServer()) as server,
    ):
        yield ServedModel(server)
