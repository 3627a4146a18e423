"""A strict reader for the front matter of markdown files.

It reads the part of YAML that people write at the top of a skill, an agent or a lesson: scalars,
lists, nested mappings, `[a, b]` and `{a: 1}` on one line, and `|` or `>` text. Whatever else YAML
can do (anchors, tags, several documents) is an error that names file, line and key: a guess about
what someone meant is worse than a question.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from paige.base.errors import BadInput

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

# The `++` and `*+` never give back what they took: a long line is read once, whatever is in it.
_KEY = re.compile(
    r"(?P<key>[A-Za-z_$][\w.$/-]*+(?: ++[\w.$/-]++)*+|\"[^\"]*+\"|'[^']*+')"
    r"\s*+:(?:\s++(?P<rest>.*))?$"
)
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)$")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$")
_BLOCK = re.compile(r"[|>][-+]?(?:\s+#.*)?$")
_HEX = re.compile(r"[0-9a-fA-F]+$")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None, "~": None, "": None}
_MAX_DEPTH = 12
_MEANINGS = tuple("&*!%@`|>,[]{}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values above the text, where each key stands, and the text below."""

    values: dict[str, Value]
    body: str
    file: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """`file:line` of a key, for messages."""
        return f"{self.file}:{self.lines.get(key, 1)}"


def read_front_matter(text: str, file: str) -> FrontMatter:
    """Split `text` into front matter and body. Raises: BadInput naming file, line and key."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        raise BadInput(
            f"{file}:1: there is no front matter", hint="Begin the file with a line `---`."
        )
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        raise BadInput(
            f"{file}:1: the front matter is not closed", hint="Add a line `---` after the last key."
        )
    reader = _Reader(file, lines[1:end])
    values = reader.mapping(indent=0, depth=0)
    return FrontMatter(values, "\n".join(lines[end + 1 :]).lstrip("\n"), file, reader.top_lines)


class _Reader:
    """Walks the lines once; `position` is the next line to read."""

    def __init__(self, file: str, lines: list[str]) -> None:
        self.file = file
        self.lines = lines
        self.position = 0
        self.top_lines: dict[str, int] = {}

    def fail(self, message: str, *, hint: str | None = None, at: int | None = None) -> BadInput:
        line = (self.position if at is None else at) + 2  # line 1 is the opening `---`
        return BadInput(f"{self.file}:{line}: {message}", hint=hint)

    def peek(self) -> tuple[int, str] | None:
        """Indent and content of the next line that is not blank or a comment."""
        while self.position < len(self.lines):
            line = self.lines[self.position]
            content = line.strip()
            if content and not content.startswith("#"):
                if "\t" in line[: len(line) - len(line.lstrip())]:
                    raise self.fail("a tab is used to indent", hint="Indent with spaces.")
                return len(line) - len(line.lstrip(" ")), content
            self.position += 1
        return None

    def mapping(self, *, indent: int, depth: int) -> dict[str, Value]:
        if depth > _MAX_DEPTH:
            raise self.fail(f"more than {_MAX_DEPTH} levels are nested")
        values: dict[str, Value] = {}
        while (found := self.peek()) and found[0] >= indent:
            here, content = found
            if here > indent:
                raise self.fail(
                    "this line is indented too far", hint=f"Indent it by {indent} spaces."
                )
            match = _KEY.match(content)
            if match is None:
                raise self.fail(
                    f"`{content}` is not `key: value`", hint="A text with `: ` needs quotes."
                )
            key = match["key"]
            key = key[1:-1] if key[0] in "\"'" else key
            if key in values:
                raise self.fail(f"the key `{key}` stands twice")
            if depth == 0:
                self.top_lines[key] = self.position + 2
            values[key] = self.value(match["rest"] or "", indent=indent, depth=depth, key=key)
        return values

    def value(self, rest: str, *, indent: int, depth: int, key: str) -> Value:
        start = self.position
        self.position += 1
        if _BLOCK.match(rest):
            return self.block_text(rest[0], rest[1:2].strip(), indent=indent)
        if rest and not rest.startswith("#"):
            return self.scalar(rest, at=start, key=key)
        following = self.peek()
        if following is None:
            return None
        here, content = following
        is_item = content == "-" or content.startswith("- ")
        if is_item and here >= indent:
            return self.block_list(indent=here, depth=depth + 1, key=key)
        if not is_item and here > indent:
            return self.mapping(indent=here, depth=depth + 1)
        return None

    def block_list(self, *, indent: int, depth: int, key: str) -> list[Value]:
        if depth > _MAX_DEPTH:
            raise self.fail(f"more than {_MAX_DEPTH} levels are nested")
        items: list[Value] = []
        while (found := self.peek()) and found[0] == indent and found[1][:2] in ("- ", "-"):
            rest = found[1][1:].strip()
            if _KEY.match(rest):
                # `- name: x` opens a mapping whose further keys are indented to the first one.
                inner = indent + len(found[1]) - len(rest)
                self.lines[self.position] = " " * inner + rest
                items.append(self.mapping(indent=inner, depth=depth + 1))
            else:
                items.append(self.value(rest, indent=indent + 1, depth=depth, key=key))
        return items

    def block_text(self, style: str, chomp: str, *, indent: int) -> str:
        lines: list[str] = []
        margin: int | None = None  # the first line with a text sets it
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if line.strip():
                here = len(line) - len(line.lstrip(" "))
                if here <= indent or (margin is not None and here < margin):
                    break
                margin = here if margin is None else margin
            lines.append(line[margin:] if margin is not None else "")
            self.position += 1
        end = len(lines)
        while end and not lines[end - 1].strip():
            end -= 1
        text = "\n".join(lines[:end]) if style == "|" else _fold(lines[:end])
        if chomp == "+":
            return text + "\n" * (len(lines) - end + bool(end))
        return text + ("\n" if text and not chomp else "")

    def scalar(self, text: str, *, at: int, key: str) -> Value:
        flow = _Flow(text)
        try:
            value = flow.value(stop="")
            flow.end()
        except ValueError as error:
            raise self.fail(
                f"`{key}` cannot be read: {error}", at=at, hint="Put the text in quotes."
            ) from error
        return value


def _fold(lines: list[str]) -> str:
    """Join lines as `>` does: one line break is a space, an empty line is a line break.

    A line that is indented further keeps the breaks around it, so that lists and code survive.
    """
    text = ""
    breaks = 0  # since the last line with a text
    kept = True  # whether the next break is one: at the beginning, or beside an indented line
    for line in lines:
        if not line:
            breaks += 1
            continue
        keep = line[0] in " \t"
        if text or breaks:
            between = breaks + (kept or keep) * bool(text)
            text += "\n" * between or " "
        text += line
        breaks, kept = 0, keep
    return text


class _Flow:
    """One line of values: quoted, plain, `[…]` and `{…}`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def here(self) -> str:
        return self.text[self.at : self.at + 1]

    def comment(self) -> bool:
        return self.here() == "#" and self.text[max(self.at - 1, 0)] in " \t"

    def end(self) -> None:
        self.skip()
        if self.at < len(self.text) and not self.comment():
            raise ValueError(f"`{self.text[self.at :]}` follows the value")

    def value(self, *, stop: str, depth: int = 0) -> Value:
        self.skip()
        if depth > _MAX_DEPTH:
            raise ValueError(f"more than {_MAX_DEPTH} levels are nested")
        match self.here():
            case "[":
                return self.sequence(depth)
            case "{":
                return self.pairs(depth)
            case '"' | "'":
                return self.quoted()
            case _:
                return self.plain(stop)

    def sequence(self, depth: int) -> list[Value]:
        items: list[Value] = []
        self.at += 1
        while True:
            self.skip()
            if self.here() == "]":
                self.at += 1
                return items
            if self.here() == ",":
                raise ValueError("a value is missing before `,`")
            items.append(self.value(stop=",]", depth=depth + 1))
            self.separator("]")

    def pairs(self, depth: int) -> dict[str, Value]:
        pairs: dict[str, Value] = {}
        self.at += 1
        while True:
            self.skip()
            if self.here() == "}":
                self.at += 1
                return pairs
            quoted = self.here() in ("'", '"')
            key = self.quoted() if quoted else self.until(":,{}[]")
            self.skip()
            if self.here() != ":" or not (quoted or key) or (key[:1] in _MEANINGS and not quoted):
                raise ValueError(f"`{key}{self.here()}` is not `key:`")
            if key in pairs:
                raise ValueError(f"the key `{key}` stands twice")
            self.at += 1
            pairs[key] = self.value(stop=",}", depth=depth + 1)
            self.separator("}")

    def separator(self, closing: str) -> None:
        self.skip()
        if self.here() == ",":
            self.at += 1
        elif self.here() != closing:
            raise ValueError(f"`{closing}` is missing")

    def quoted(self) -> str:
        quote = self.here()
        parts: list[str] = []
        self.at += 1
        while True:
            character = self.here()
            self.at += 1
            if not character:
                raise ValueError("the quote is not closed")
            if character == quote:
                if quote == "'" and self.here() == "'":
                    self.at += 1
                    parts.append("'")
                    continue
                return "".join(parts)
            parts.append(self.escape() if character == "\\" and quote == '"' else character)

    def escape(self) -> str:
        character = self.here()
        self.at += 1
        escapes = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", "r": "\r"}
        if character in ("u", "x"):
            width = 4 if character == "u" else 2
            digits = self.text[self.at : self.at + width]
            self.at += width
            code = int(digits, 16) if _HEX.match(digits) and len(digits) == width else 0xD800
            if 0xD800 <= code <= 0xDFFF:  # half of a pair is no character
                raise ValueError(f"`\\{character}{digits}` is not a character")
            return chr(code)
        if character not in escapes:
            raise ValueError(f"`\\{character}` is not an escape")
        return escapes[character]

    def plain(self, stop: str) -> Value:
        text = self.until(stop)
        if ": " in text or text.endswith(":"):
            raise ValueError("it holds `:`")
        if text[:1] in _MEANINGS or text[:2] in ("- ", "? ") or text in ("-", "?"):
            raise ValueError(f"`{text[0]}` has a meaning in YAML that is not supported here")
        return _plain_value(text)

    def until(self, stop: str) -> str:
        """The text before one of the characters of `stop`, or before a comment."""
        start = self.at
        while self.at < len(self.text):
            character = self.text[self.at]
            if character in stop or self.comment():
                break
            self.at += 1
        return self.text[start : self.at].strip()


def _plain_value(text: str) -> Value:
    if text.lower() in _WORDS and text in (text.lower(), text.title(), text.upper()):
        return _WORDS[text.lower()]
    if _INTEGER.match(text):
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    return text
