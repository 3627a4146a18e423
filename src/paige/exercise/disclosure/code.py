"""Programs compared by what they do with names forgotten: line by line, and as a stream of tokens.

A learner's own names are replaced, so a solution with other names is still that solution. What the
exercise or the learner already has is no secret; the missing lines are.
"""

import io
import keyword
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache

_KEPT = frozenset(keyword.kwlist) | frozenset(
    str.split(
        "print len range sum min max sorted list dict set tuple str int float bool enumerate"
        " zip map filter any all abs round reversed open input isinstance type append extend"
        " pop insert join split strip lower upper items keys values get add update sort"
        " reverse count index replace startswith endswith format read write self ValueError"
        " KeyError TypeError IndexError"
    )
)
_CODE_LINE = re.compile(
    r"^\s*+(?:def \w+\(|class \w+|for \w[\w, ]* in .+:|while .+:|if .+:|elif .+:|else:|try:"
    r"|except\b.*:|"
    r"return\b.*|import \w+|from \w+ import|with .+:|yield\b.*|raise \w+|print\(|"
    r"[\w.\[\], ]+ ?(?:[-+*/%]|//|\*\*)?= ?[^=].*|\w+(?:\.\w+)*\(.*\)$|\[.+ for .+ in .+\]$|@\w+)"
)
_EXPRESSION = re.compile(
    r"\w ?==|\w\[[^\]]*:[^\]]*\]|\w\(.*\w\(|\w\.\w+\(|[a-z)] ?% ?\d|\bfor \w+ in .+\]$"
    r"|\blambda\b.*:"
)
_EQUATION = re.compile(r"\s*+[a-z]\s*+=\s*+[-\d./x+*() ^]++(?:\s*+(?<=\s)or\s.*)?\s*", re.I)
_LONGEST = 1_000  # signs of a line that are looked at
_PROSE = re.compile(r"^[A-Z]?[a-z']+(?: [a-z']+){3,}")
_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|\Z)", re.S)
_INLINE = re.compile(r"`([^`\n]+)`")
_PLACEHOLDER = re.compile(
    r"^\s*+(?:pass|\.\.\.|_++|#.*+|\"\"\".*+|'''.*+|raise NotImplementedError.*+)?\s*+$"
)
_MARK = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|==|!=|<=|>=|//|\*\*|[-+*/%<>=]|\"[^\"]*\"|'[^']*'")


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of code with its names forgotten, and how much it says."""

    shape: str
    weight: int


@dataclass(frozen=True, slots=True)
class Program:
    """A piece of code, ready to be compared."""

    lines: tuple[CodeLine, ...]
    grams: frozenset[tuple[str, ...]]
    defined: frozenset[str]  # functions with a body that does something

    @property
    def weight(self) -> int:
        """How much its lines say."""
        return sum(line.weight for line in self.lines)


@lru_cache(maxsize=2048)
def looks_like_code(text: str) -> bool:
    """Whether a text is a program, or a line of one, rather than words or a formula."""
    lines = [line[:_LONGEST] for line in text.strip().splitlines() if line.strip()]
    if "```" in text:
        return True
    if re.match(r"\s*(?:O|\u0398|\u03a9)\(", text):  # how fast something grows
        return False
    if re.fullmatch(r"\s*[a-z] ?= ?-?[\d./]+(?:(?:,| and| or|;)+ ?[a-z] ?= ?-?[\d./]+)+\s*", text):
        return False
    if not lines or _EQUATION.fullmatch(text):
        return False
    likely = sum(bool(_CODE_LINE.match(line)) and not _PROSE.match(line) for line in lines)
    if len(lines) == 1:
        line = lines[0].strip()
        if _EXPRESSION.search(line) and not _PROSE.match(line):
            return True
        called = re.search(r"\w\(.*\)|\w\[.*\]|==|:=|%|\w\.\w+\(|^return\b|^for .*:$", line)
        return bool(likely) and bool(called or re.match(r"^\w+ [-+*/]?= \S", line))
    return likely >= max(2, len(lines) // 2)


def code_in(text: str) -> str:
    """The code of a reply: fenced blocks, lines that look like code, code between backticks."""
    blocks = [match[1] for match in _FENCE.finditer(text)]
    rest = _FENCE.sub("\n", text)
    blocks += [line for line in rest.splitlines() if _CODE_LINE.match(line) and not _is_prose(line)]
    blocks += _INLINE.findall(rest)
    return "\n".join(blocks)


def _is_prose(line: str) -> bool:
    return bool(_PROSE.match(line.strip())) or line.rstrip().endswith(("?", "."))


@lru_cache(maxsize=512)
def read_program(text: str) -> Program:
    """Reads code, or what passes for code."""
    plain = "\n".join(match[1] for match in _FENCE.finditer(text)) or text
    lines = tuple(filter(None, (_shape(line) for line in _joined(plain))))
    stream = [mark for line in _joined(plain) for mark in _marks(line, "v")]
    grams = frozenset(tuple(stream[at : at + 4]) for at in range(max(0, len(stream) - 3)))
    return Program(lines, grams, _defined(plain))


def _joined(text: str) -> list[str]:
    return [line.split("#")[0].rstrip() for line in text.splitlines() if line.strip()]


def _shape(line: str) -> CodeLine | None:
    """The line with its names numbered in order; lines that say nothing have none."""
    if _PLACEHOLDER.match(line) or re.match(r"^\s*(?:else|try|finally)\s*:\s*$", line):
        return None
    marks = _powers(_marks(line, ""))
    if len(marks) < 2 or marks[0] in {"import", "from", "def", "class", "@"}:
        return None
    return CodeLine(" ".join(marks), len(marks))


def _powers(marks: list[str]) -> list[str]:
    """`x * x` as `x ** 2`."""
    out = list(marks)
    for at in range(len(out) - 2):
        if out[at + 1] == "*" and out[at] == out[at + 2] and out[at].startswith("v"):
            out[at + 1 : at + 3] = ["**", "2"]
            break
    return out


def _marks(line: str, name: str) -> list[str]:
    numbered: dict[str, str] = {}
    marks: list[str] = []
    for mark in _tokens(line):
        if (mark[0].isalpha() or mark[0] == "_") and mark not in _KEPT:
            marks.append(name or numbered.setdefault(mark, f"v{len(numbered)}"))
        elif mark[0] in "\"'":
            marks.append(f'"{mark[1:-1]}"')
        else:
            marks.append(mark)
    return marks


@lru_cache(maxsize=4096)
def _tokens(line: str) -> tuple[str, ...]:
    try:
        found = tokenize.generate_tokens(io.StringIO(line.strip()).readline)
        kinds = {tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING}
        marks = tuple(token.string for token in found if token.type in kinds)
    except (tokenize.TokenError, SyntaxError, IndentationError):
        marks = tuple(_MARK.findall(line))
    return tuple(mark for mark in marks if mark not in set("()[]{}:,;"))


def _defined(text: str) -> frozenset[str]:
    names: set[str] = set()
    lines = text.splitlines()
    for at, line in enumerate(lines):
        matched = re.match(r"^(\s*)(?:async )?def (\w+)\(.*?:\s*(.*)$", line)
        if not matched:
            matched = re.match(r"^(\s*)()(\w+\s*=\s*lambda\b.*)$", line)
            if matched:
                names.add(matched[3].split("=")[0].strip())
            continue
        body = [*_body(lines[at + 1 :], len(matched[1])), matched[3]]
        blank = re.compile(r"_{2,}|\.\.\.|your code|fill in|todo|\?\?", re.I)
        if any(_says(each) for each in body) and not any(blank.search(each) for each in body):
            names.add(matched[2])
    return frozenset(names)


def _body(lines: list[str], indent: int) -> list[str]:
    body: list[str] = []
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        body.append(line)
    return body


def _says(line: str) -> bool:
    return bool(line.strip()) and not _PLACEHOLDER.match(line) and '"""' not in line


def names_defined(text: str) -> frozenset[str]:
    """Every function a text mentions the definition of, whatever its body."""
    return frozenset(re.findall(r"\bdef (\w+)\(", text))


def nameless(text: str) -> str:
    """A folded text without spaces, every name that is not Python's own as `v`."""
    kept = re.sub(r"[a-z_]\w*", lambda name: name[0] if name[0] in _KEPT else "v", text)
    return re.sub(r"\s", "", kept).replace("'", '"')
