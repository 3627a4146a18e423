"""Prompts are markdown with holes: `render("coach/hint", code=…)` fills `coach/prompts/hint.md`.

A hole is `$name`; a dollar sign is `$$`. Text that Paige did not write goes in through `untrusted`,
which fences and labels it, so that no reader takes it for an instruction.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from paige.base.errors import BadInput, NotFound

ROOMS = Path(__file__).parents[1]
_NAME = re.compile(r"(?P<room>[a-z][a-z_]*)/(?P<prompt>[a-z][a-z0-9_-]*)")
_HOLE = re.compile(r"\$(?:(?P<dollar>\$)|(?P<name>[a-z][a-z0-9_]*))")
_TAG = re.compile(r"<(?=\s*+(?:/\s*+)?untrusted\b)", re.IGNORECASE)
_FENCES = re.compile(r"`{3,}")


def render(prompt: str, /, **values: str) -> str:
    """Fill a room's prompt. Raises: NotFound (no file), BadInput (a missing or unused value)."""
    match = _NAME.fullmatch(prompt)
    if match is None:
        raise BadInput(f"`{prompt}` is not the name of a prompt", hint="Write `room/name`.")
    path = ROOMS / match["room"] / "prompts" / f"{match['prompt']}.md"
    return fill(_read(path), values, source=f"{match['room']}/prompts/{path.name}")


def fill(text: str, values: Mapping[str, str], *, source: str) -> str:
    """Fill the holes of a text. Raises: BadInput naming `source` and the hole or value."""
    holes = {match["name"] for match in _HOLE.finditer(text) if match["name"]}
    missing = sorted(holes - values.keys())
    if missing:
        raise BadInput(f"{source}: the hole `${missing[0]}` has no value")
    unused = sorted(values.keys() - holes)
    if unused:
        raise BadInput(f"{source}: there is no hole `${unused[0]}` for the value of that name")
    return _HOLE.sub(lambda match: values[match["name"]] if match["name"] else "$", text)


def untrusted(label: str, text: str) -> str:
    """Fence a text that others wrote, so that it can neither close its fence nor its tag."""
    longest = max((len(run) for run in _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    shown = re.sub(r"[^\w .,:()/-]+", " ", label).strip()
    inside = _TAG.sub("&lt;", text)
    return f'<untrusted source="{shown}">\n{fence}\n{inside}\n{fence}\n</untrusted>'


@lru_cache(maxsize=256)
def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise NotFound(f"There is no prompt `{path.relative_to(ROOMS)}`") from None
