"""Which embedder the settings ask for."""

from paige.base.errors import BadInput
from paige.base.settings import Settings
from paige.memory.embedding import StaticEmbedder
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.http_embedder import OLLAMA, HttpEmbedder, Lengths
from paige.memory.vectors.minilm import MiniLmEmbedder

OLLAMA_MODEL = "nomic-embed-text"


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder, without asking it anything yet; none means that only words are compared.

    Raises: BadInput when a setting that it needs is missing.
    """
    match settings.embedder:
        case "none":
            return None
        case "minilm":
            return MiniLmEmbedder()
        case "ollama":
            return HttpEmbedder(
                "ollama",
                url=settings.embedder_url or OLLAMA,
                model=settings.embedder_model or OLLAMA_MODEL,
                key=settings.embedder_key,
                lengths=_lengths(settings),
            )
        case "openai-compatible":
            return _openai(settings)
        case _:
            return StaticEmbedder()


def _openai(settings: Settings) -> HttpEmbedder:
    if not settings.embedder_url:
        raise BadInput(
            "The embedder `openai-compatible` has no address",
            hint="Set `PAIGE_EMBEDDER_URL`; the texts of memories are sent there.",
        )
    if not settings.embedder_model:
        raise BadInput(
            "The embedder `openai-compatible` has no model", hint="Set `PAIGE_EMBEDDER_MODEL`."
        )
    return HttpEmbedder(
        "openai-compatible",
        url=settings.embedder_url,
        model=settings.embedder_model,
        key=settings.embedder_key,
        lengths=_lengths(settings),
    )


def _lengths(settings: Settings) -> Lengths:
    return Lengths(settings.data_dir / "memory" / "embedders.json")
