"""Values that operations of several subjects give."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Download:
    """A file to give out; `inline` is shown in the page, others are saved under their name."""

    content: bytes
    media_type: str
    name: str = ""
    inline: bool = False
