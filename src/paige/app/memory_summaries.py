"""A model that writes the summaries of the memory, for whoever asks for it.

The jobs of the memory run in a thread of their own, a model answers on an event loop: a portal is
between them for as long as the block lasts.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from anyio.from_thread import start_blocking_portal

from paige.app.application import App
from paige.memory.lifecycle.model_summary import model_summariser, register_engines
from paige.memory.lifecycle.summarising import Summariser
from paige.models.local import Registry
from paige.models.setup import open_models


@contextmanager
def summaries_by_model(app: App) -> Iterator[Summariser]:
    """The model of the settings as a writer of summaries; without a model they are extracts."""
    registry = Registry()
    register_engines(registry)
    models = open_models(app.settings, app.database, registry, strict=app.strict, now=app.now)
    with start_blocking_portal() as portal:
        try:
            yield model_summariser(models, app.actor, portal.call)
        finally:
            portal.call(models.aclose)
