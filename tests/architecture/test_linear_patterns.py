"""Every regular expression of the code, against texts made to hurt it.

Python's `re` holds the interpreter while it goes back and forth. A pattern whose cost grows with
the third power of a text, or worse, freezes the server on a text of a few thousand signs. Each
pattern is run against repetitions of what it repeats itself, behind what leads there, with an end
that does not fit.
"""

import ast
import re
import re._constants as code
import re._parser as parser
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paige

ROOT = Path(paige.__file__).parent
USES = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2,
        "sub": 4, "subn": 4, "split": 3}  # fmt: skip
SIZE, LIMIT = 600, 0.06
PLAIN = ("a", " ", "\n", "0", "-", "a ", ".")
BOUNDED = {  # where the text is bounded, or the pattern only ever meets one place of it
    "plan/class_names.py": "matched at one place, or 100 signs before it",
    "plan/hooks/scope_check.py": "matched at the start of a request",
    "plan/local/brief.py": "the last 300 signs of a request",
    "plan/classes.py": "one line, matched as a whole",
    "language/names/tokens.py": "one word, matched as a whole",
}
SIGNS: dict[str, str] = {}
Known = dict[tuple[str | bytes, int], str]


def in_source() -> Known:
    """The patterns that stand in the code as texts."""
    found: Known = {}
    for path in ROOT.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if " re." in text or "(re." in text else ():
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=use),
                    args=[ast.Constant(value=str() | bytes() as pattern), *_],
                ) if use in USES:
                    place = USES[use]
                    given = node.args[place] if len(node.args) > place else None
                    given = given or next(
                        (k.value for k in node.keywords if k.arg == "flags"), None
                    )
                    flags = eval(ast.unparse(given), {"re": re}) if given else 0
                    found[pattern, int(flags)] = str(path.relative_to(ROOT))
    return found


COLLECT = """
import importlib, pkgutil, re, sys, warnings
import paige
warnings.simplefilter("ignore")
root, found, plain = paige.__path__[0], {}, re.compile
def compiled(pattern, flags=0):
    path = sys._getframe(1).f_code.co_filename
    if isinstance(pattern, str | bytes) and path.startswith(root):
        found[pattern, int(flags)] = path[len(root) + 1 :]
    return plain(pattern, flags)
re.compile = compiled
for each in pkgutil.walk_packages(paige.__path__, "paige."):
    if not any(part in each.name for part in ("__main__", "versions", "entry", "harness")):
        importlib.import_module(each.name)
print(repr(found))
"""


def put_together() -> Known:
    """Those that modules put together when they are imported, in a process of their own."""
    made = subprocess.run(
        [sys.executable, "-c", COLLECT], capture_output=True, text=True, check=True, timeout=60
    )
    return ast.literal_eval(made.stdout)


def one_of(op: Any, given: Any) -> str:
    """A sign that fits a part of a pattern."""
    key = f"{op} {given}"
    if key not in SIGNS:
        SIGNS[key] = _one_of(op, given)
    return SIGNS[key]


def _one_of(op: Any, given: Any) -> str:
    if op is code.LITERAL:
        return chr(given)
    tried = "a 0\n-_(\"'`.,:/#*[<=A\t"
    if op is code.IN:
        tried += "".join(chr(each[1]) for each in given if each[0] is code.LITERAL)
        tried += "".join(chr(each[1][0]) for each in given if each[0] is code.RANGE)
    only = parser.SubPattern(parser.State(), [(op, given)])
    fits = re._compiler.compile(only)  # type: ignore[attr-defined]
    return next((sign for sign in tried if fits.match(sign)), "")


def sample(items: Any) -> str:
    """A short text that a pattern may fit."""
    out = ""
    for op, given in items:
        if op in (code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN):
            out += one_of(op, given)
        elif op in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            out += sample(given[2]) * min(given[0], 5)
        elif op is code.SUBPATTERN:
            out += sample(given[3])
        elif op is code.ATOMIC_GROUP:
            out += sample(given)
        elif op is code.BRANCH:
            out += sample(given[1][0])
    return out


def repeated(items: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What a pattern repeats without end, and what leads there."""
    for op, given in items:
        if op in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            if given[1] is code.MAXREPEAT and (body := sample(given[2])):
                yield before, body
            yield from repeated(given[2], before)
        elif op is code.SUBPATTERN:
            yield from repeated(given[3], before)
        elif op is code.BRANCH:
            for branch in given[1]:
                yield from repeated(branch, before)
        before += sample([(op, given)])


def slowest(pattern: str | bytes, flags: int, size: int, limit: float) -> tuple[float, str]:
    """The most that the pattern costs, and the text that costs it."""
    made = re.compile(pattern, flags)
    pairs = dict.fromkeys(
        [*(("", each) for each in PLAIN), *repeated(parser.parse(pattern, flags))]
    )
    worst = (0.0, "")
    for before, each in pairs:
        text: Any = f"{before}{each * (size // len(each))}\x01"
        text = text.encode("utf-8", "replace") if isinstance(pattern, bytes) else text
        start = time.thread_time()
        signal.setitimer(signal.ITIMER_REAL, limit * 8)
        try:
            sum(1 for _ in made.finditer(text))
        except TimeoutError:
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        worst = max(worst, (time.thread_time() - start, f"{before!r} and {each!r} again and again"))
        if worst[0] > limit:
            break
    return worst


@pytest.fixture
def clock() -> Iterator[None]:
    """Ends what runs too long, so that a bad pattern is a failure and no freeze."""

    def ended(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ended)
    yield
    signal.signal(signal.SIGALRM, before)


def test_no_pattern_of_the_code_freezes_on_a_text_made_for_it(clock: None) -> None:
    known = {**put_together(), **in_source()}
    assert len(known) > 700
    bad = {}
    for (pattern, flags), path in known.items():
        seconds, text = slowest(pattern, flags, SIZE, LIMIT)
        if seconds > LIMIT and path not in BOUNDED:
            bad[pattern] = f"{path}: {seconds:.2f} s for {text}"
    assert not bad


def test_the_attack_finds_a_pattern_that_goes_back_and_forth(clock: None) -> None:
    for evil in (r"(a+)+$", r"\s*(?:x\s*)*\s*\s*;$", r"(\w+\s?)*!$"):
        assert slowest(evil, 0, SIZE, LIMIT)[0] > LIMIT, evil
    assert slowest(r"\s*+(?:x\s*+)*+;", 0, SIZE, LIMIT)[0] < LIMIT
