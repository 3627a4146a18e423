"""Takes out of an answer what cannot be the same twice: ids, times, ports, folders, durations."""

import json
import re
from pathlib import Path
from typing import Any

import paige

_REPOSITORY = str(Path(__file__).parents[2])
_UNSTEADY = re.compile(
    r"(Ms|_ms|Us|_us|[sS]econds|[dD]uration|[eE]lapsed|[uU]ptime|[lL]atency|[tT]ook)$"
    r"|^(ms|us|bytes|inode|pid|port|boot|mtime|free|lengths|starts)$"
)
"""Names of numbers that a machine's speed, or its disk, decides."""
_KINDS: tuple[tuple[str, str], ...] = (
    ("id", r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    ("version", r"\b\d+-\d{18,19}-\d+\b"),
    ("token", r"\bpaige_[\w.-]{16,}"),
    ("password", r"(?<![\w-])[a-z0-9]{4}(?:-[a-z0-9]{4}){3}(?![\w-])"),
    ("code", r"(?<![\w-])[a-z0-9]{3}-[a-z0-9]{3}-[a-z0-9]{3}(?![\w-])"),
    ("handout", r"\bfixed-loops-[a-z0-9]{4}\b"),
    ("project", r"(?:(?<=\bmy-project-)|(?<=\blena-)|(?<=\btom-)|(?<=\bdev-))[0-9a-f]{8}\b"),
    ("salt", r"\$argon2id\$[^\s\"]+"),
    ("short", r"(?<=\[)[0-9a-f]{6}(?=\])"),
    ("hex", r"(?<![0-9a-zA-Z])(?:[0-9a-f]{16,128}|[0-9a-f]{12})(?![0-9a-zA-Z])"),
)
_PATTERN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS))
_TIMES: tuple[tuple[str, str], ...] = (
    (r"(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|UTC|[+-]\d\d:?\d\d))?", r"\1 <time>"),
    (r"\b\d{8}T\d{6}Z?\b|\b\d{4}-\d\d-\d\dT\d{6}Z?\b", "<time>"),
    (r"\b1[67]\d{8}(\.\d+|\d{3}|\d{6}|\d{9})?\b", "<epoch>"),
    (r"(?: +|\b)\d+(\.\d+)? ?(ms|µs|s)\b", " <duration>"),
    (r"\b\d+\.\d+ (KB|MB|GB)\b", r"<n> \1"),
    (r"\bin \d+ actions\b", "in <n> actions"),
    (r"\b\d\d:\d\d(:\d\d)?\b", "<clock>"),
    (r"\bPT[\d.]+S\b", "PT<n>S"),
)


class Plain:
    """Placeholders of one script; each says in which exchange it was met first."""

    def __init__(self, folder: Path) -> None:
        self._places = [(str(folder), "<tmp>"), (_REPOSITORY, "<repository>")]
        self._places.append((paige.__version__, "<version>"))
        self._known: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def hide(self, text: str, name: str) -> None:
        """Show a text by its name from now on: a port, a password, a code."""
        if len(text) < 7:
            raise ValueError(f"`{text}` is too short to be taken out everywhere")
        self._places.insert(0, (text, f"<{name}>"))

    def value(self, given: Any, at: int) -> Any:
        """A JSON value of the exchange with this number."""
        match given:
            case dict():
                if {"left_off", "leftOff"} & given.keys():
                    given = {**given, "tokens": "<n>"}  # of texts with ids in them
                return {
                    self.text(str(name), at): self._named(name, each, at)
                    for name, each in sorted(given.items(), key=lambda pair: str(pair[0]))
                }
            case list():
                return [self.value(each, at) for each in given]
            case str():
                return self.text(given, at)
            case float():
                return self._number(round(given, 3))
            case int() if not isinstance(given, bool):
                return self._number(given)
        return given

    def text(self, given: str, at: int) -> str:
        """A text; JSON in it is treated as JSON."""
        if given[:1] in "{[" and given[-1:] in "}]" and len(given) > 2:
            try:
                return json.dumps(self.value(json.loads(given), at), ensure_ascii=False)
            except ValueError:
                pass
        for place, name in self._places:
            given = given.replace(place, name)
        given = _PATTERN.sub(
            lambda found: self._placeholder(str(found.lastgroup), found[0], at), given
        )
        for pattern, name in _TIMES:
            given = re.sub(pattern, name, given)
        return given

    def _named(self, name: object, given: Any, at: int) -> Any:
        if name == "csrf" and isinstance(given, str):
            return self._placeholder("csrf", given, at)
        if name == "shadow" and isinstance(given, dict) and "events" in given:
            given = {**given, "events": "<n>"}  # hooks are taken in when there is time
        if name == "size" and isinstance(given, int) and given > 1000:
            return "<n>"  # of a file that holds ids and times
        if isinstance(given, float) and "minutes" in str(name).lower():
            return "<n>"
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        unsteady = _UNSTEADY.search(str(name)) and (is_number or isinstance(given, list))
        return "<n>" if unsteady else self.value(given, at)

    def _number(self, given: float) -> Any:
        return "<epoch>" if 1.6e9 < given < 1.8e9 or 1.6e12 < given < 1.8e12 else given

    def _placeholder(self, kind: str, text: str, at: int) -> str:
        if text not in self._known:
            key = f"{kind}:{at}"
            self._counts[key] = self._counts.get(key, 0) + 1
            self._known[text] = f"<{key}.{self._counts[key]}>"
        return self._known[text]
