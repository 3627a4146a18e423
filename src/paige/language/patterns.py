"""Patterns that come from data, matched by an engine that reads a text once.

Python's `re` goes back and tries again: a few signs of a pattern can cost hours on a text that
somebody else wrote, and no other thread runs meanwhile. RE2 has no way back, so its cost grows with
the length of the text alone. It knows neither look-around nor back-references; a pattern that needs
them is refused here, when it is read. What a syntax tree can tell is better asked of the tree.
"""

import re2

from paige.base.errors import BadInput


class LinearPattern:
    """A pattern whose cost is bounded, whatever text it meets."""

    __slots__ = ("_engine", "pattern")

    def __init__(self, pattern: str) -> None:
        """Raises: BadInput for what the engine cannot match."""
        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        try:
            self._engine = re2.compile(f"(?m:{pattern})", options)
        except re2.error as error:
            said = error.args[0] if error.args else ""
            raise BadInput(
                f"The pattern `{pattern}` cannot be matched in bounded time: "
                f"{said.decode(errors='replace') if isinstance(said, bytes) else said}",
                hint="Write it without look-around, such as `(?=`, and without `\\1`.",
            ) from None
        self.pattern = pattern

    def find(self, text: str) -> int:
        """Where the first match begins, in bytes of UTF-8; -1 without one."""
        # Half a pair of surrogates cannot be encoded, and matches nothing that is meant.
        found = self._engine.search(text.encode("utf-8", "replace"))
        return -1 if found is None else found.start()

    def matches(self, text: str) -> bool:
        """Whether the pattern stands anywhere in a text."""
        return self.find(text) >= 0
