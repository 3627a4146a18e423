"""Small changes of a text, and the way back.

A change is a list of spans, each put into the text as the ones before it left it. Undoing them in
the opposite order gives the old text back, sign for sign.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """At this place the old words gave way to the new ones."""

    at: int
    old: str
    new: str


def apply(text: str, spans: Iterable[Span]) -> str:
    """The text after the changes."""
    for span in spans:
        text = text[: span.at] + span.new + text[span.at + len(span.old) :]
    return text


def undo(text: str, spans: Iterable[Span]) -> str:
    """The text before the changes."""
    for span in reversed(list(spans)):
        text = text[: span.at] + span.old + text[span.at + len(span.new) :]
    return text


def line_end(text: str) -> str:
    """How lines end in a text."""
    return "\r\n" if "\r\n" in text else "\n"
