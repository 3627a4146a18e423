"""What any tool may do to files, and in programs it is given: the places and rules of the shell.

A shell command, a tool of a host and a tool of a server nobody has seen are judged alike: by where
a path lies and what would be done there. This page is on the hook's fast path: built-in modules
only.
"""

from paige.base.events import Ask, Deny
from paige.guard.fast.inputs import (
    ANY,
    NODE,
    POWERSHELL,
    PYTHON,
    SCRIPT,
    SEARCHES,
    SHELL,
    SQL,
    UNSURE,
    WRITES,
    Program,
    Touch,
    name_words,
    quoted,
    removes,
)
from paige.guard.fast.paths import meant_paths, real_path
from paige.guard.fast.place import Place, exists
from paige.guard.hook_event import Outcome
from paige.guard.shell.judge import ALLOW, ASK, DENY, Judge, Judgement
from paige.guard.shell.tampering import is_kept
from paige.guard.shell.targets import full_path, places_of
from paige.guard.tools import Change, programs_of, touches_of

# Some of these stand in every text that holds a secret; most texts have none of them.
_SIGNS = (
    "sk-", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox",
    "AIza", "_live_", "_test_", "eyJ", "PRIVATE KEY", "://", "earer", "assw", "asscode", "ecret",
    "api_key", "apikey", "API_KEY", "access_key", "ACCESS_KEY", "oken", "OKEN", "ASSW", "SECRET",
    "api-key", "Api-Key", "API-KEY", "apiKey", "ApiKey", "accessKey", "AccessKey",
)  # fmt: skip
PROTECTED = "self-protection"
SECRETS = "secrets-in-writes"
# Rules that say no more than that nothing is known.
_WEAK = ("shell.unknown", "shell.write")
# How the shell is told to run a text of another language.
_SPOKEN = {
    SQL: "psql -c {}",
    PYTHON: "python3 -c {}",
    NODE: "node -e {}",
    SCRIPT: "osascript -e {}",
    POWERSHELL: "pwsh -Command {}",
}


def judge_call(tool: str, given: dict[str, object], place: Place, book: dict) -> Outcome | None:
    """What the rules say of the files and programs in a call; nothing when they say nothing."""
    found: Judgement | None = None
    for touch in touches_of(tool, given):
        found = _stricter(found, judge_touch(touch, place, book))
    words = name_words(tool)
    program = removes(words)
    if program and tool:
        for touch in touches_of(tool, given):
            # What a tool takes away is judged as the shell's program for it.
            text = f"{program} {quoted(touch.path)}{' x' if program == 'mv' else ''}"
            found = _stricter(found, _told(Judge(place, book).judge(text), sure=False))
    for each in programs_of(tool, given):
        found = _stricter(found, judge_program(each, place, book))
    if found is None:
        return None
    decision = Deny(found.reason) if found.decision == DENY else Ask(found.reason)
    return Outcome(decision, found.rule)


def judge_touch(touch: Touch, place: Place, book: dict) -> Judgement | None:
    """What is said of one path; nothing when nobody minds."""
    found = judge_touch(touch, place, book["added"]) if "added" in book else None
    meant = meant_paths(touch.path, place.home)
    where = _places(touch, place, book["protected"])
    if touch.does != WRITES:
        for name, decision, reason, searched in book["reads"]:
            if name in where and (not searched or touch.does == SEARCHES):
                said = Judgement(decision, f"files.read.{name}", f"`{touch.path}` {reason}")
                found = _stricter(found, said)
    if touch.does in (WRITES, UNSURE):
        if touch.named and any(is_kept(each, place, book["protected"]) for each in meant):
            where = ("protected", *where)  # a folder of nothing but what is protected
        for name, decision, reason in book["redirects"]:
            if name in where:
                if decision == ALLOW:
                    break
                rule = PROTECTED if name in ("protected", "own") else f"files.write.{name}"
                found = _stricter(found, Judgement(decision, rule, f"`{touch.path}` {reason}"))
                break
    return found


def judge_program(program: Program, place: Place, book: dict) -> Judgement | None:
    """What is said of a program that a tool would run; nothing when nobody minds."""
    if program.folder:
        place = at_folder(program.folder, place)
    lines = _cells(program.text) if program.language in (PYTHON, ANY) else ""
    found = judge_program(Program(SHELL, lines, True, ""), place, book) if lines else None
    if program.language == ANY:
        # Nobody says what language it is, so only what would be refused in one of them counts.
        tried = [_SPOKEN[each].format(quoted(program.text)) for each in (PYTHON, NODE)]
        for text in (program.text, *tried):
            judged = Judge(place, book).judge(text)
            found = _stricter(found, judged if judged.decision == DENY else None)
        return found
    text = program.text
    if program.language != SHELL:
        text = _SPOKEN[program.language].format(quoted(text))
    return _stricter(found, _told(Judge(place, book).judge(text), sure=program.sure))


def _cells(text: str) -> str:
    """What a notebook's cell gives to a shell: all of it, or lines behind a `!`."""
    head, _, rest = text.strip().partition("\n")
    if head.startswith(("%%bash", "%%sh", "%%script", "%%system")):
        return rest
    marked = (line.strip() for line in text.split("\n"))
    return "\n".join(line.lstrip("!") for line in marked if line[:1] == "!" and line[1:2] != "=")


def at_folder(folder: str, place: Place) -> Place:
    """The place of a call that says in which folder it runs."""
    path = meant_paths(folder, place.home)[-1]
    return place.at(full_path(path, place))


def _places(touch: Touch, place: Place, protected: tuple[str, ...]) -> tuple[str, ...]:
    """Where a path lies, in every spelling and behind every link."""
    found: list[str] = []
    for path in meant_paths(touch.path, place.home):
        found += places_of(path, place, protected)
        full = full_path(path, place)
        real = led_to(full, place)
        if real != full:
            found += places_of(real, place, protected)
        top = full.split("/", 2)[1]
        there = place.apart or exists(f"/{top}")
        if "system" in found and not (touch.named and there):
            # The path of an address begins with a slash, too.
            found = [each for each in found if each != "system"]
    if not touch.named:
        found = [each for each in found if each not in ("root", "home", "device")]
    return tuple(dict.fromkeys(found))


def led_to(full: str, place: Place) -> str:
    """Where a path leads to; a folder that lies behind a link itself is called as before."""
    real = full if place.apart else real_path(full)
    if real == full:
        return full
    for known in (place.root, place.home, place.data):
        base = real_path(known) if known else ""
        if base not in ("", "/") and (real == base or real.startswith(f"{base}/")):
            return known.rstrip("/") + real[len(base) :]
    return real


def _told(judged: Judgement, *, sure: bool) -> Judgement | None:
    """What counts of a judgement on a command that another tool than a shell would run."""
    if judged.decision == DENY:
        return judged
    weak = judged.rule.endswith(".other") or judged.rule in _WEAK
    if judged.decision != ASK or weak or (not sure and judged.rule.startswith("shell.")):
        return None
    return judged


def _stricter(one: Judgement | None, other: Judgement | None) -> Judgement | None:
    if one is None or other is None:
        return one or other
    return other if other.decision == DENY and one.decision != DENY else one


def may_hold_secret(changes: list[Change]) -> bool:
    """Whether a closer look for secrets is worth it."""
    return any(sign in change.text for change in changes for sign in _SIGNS)
