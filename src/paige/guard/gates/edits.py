"""What a file would hold after a tool has changed it, for the tools of all hosts.

Where more than one result is possible all of them are given; none means that nobody can tell.
"""

from collections.abc import Sequence
from typing import Any

from paige.guard.tools import WRITE, kind_of

_WHOLE = ("content", "file_text", "data", "text", "contents")
_OLD = ("old_string", "old_str", "oldText", "old_text")
_NEW = ("new_string", "new_str", "newText", "new_text")
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE = "*** Move to: "


def texts_after(tool: str, given: dict[str, object], path: str, current: str) -> tuple[str, ...]:
    """The texts a file may hold after a call of a tool; `path` is as the call names it."""
    patch = patch_in(given)
    if patch is not None:
        return _after_patch(patch, path, current)
    edits = given.get("edits")
    if isinstance(edits, list) and edits:
        return _after_edits(current, edits)
    if any(isinstance(given.get(key), str) for key in _OLD):
        return _after_edits(current, [given])
    if "insert_line" in given:
        return _after_insert(current, given)
    # Only a tool that is known to replace the file says with its text what the file holds.
    if kind_of(tool) == WRITE:
        whole = [value for key in _WHOLE if isinstance(value := given.get(key), str)]
        return (whole[0],) if len(whole) == 1 else ()
    return ()


def patch_in(given: dict[str, object]) -> str | None:
    """The patch in a call, if there is one."""
    for key in ("command", "patch", "input"):
        value = given.get(key)
        if isinstance(value, list) and value:
            value = value[-1]
        if isinstance(value, str) and "*** Begin Patch" in value:
            return value
    return None


def _after_edits(current: str, edits: Sequence[Any]) -> tuple[str, ...]:
    """All that texts may become: an edit that fits several places may change one or all."""
    found = (current,)
    for edit in edits:
        if not isinstance(edit, dict):
            return ()
        old = next((edit[key] for key in _OLD if isinstance(edit.get(key), str)), None)
        new = next((edit[key] for key in _NEW if isinstance(edit.get(key), str)), None)
        if old is None or new is None:
            return ()
        made: list[str] = []
        for text in found:
            if not old and not text:
                made.append(new)
            elif old and old in text:
                made += [text.replace(old, new, 1), text.replace(old, new)]
            else:
                return ()
        found = tuple(dict.fromkeys(made))[:16]
    return found


def _after_insert(current: str, given: dict[str, object]) -> tuple[str, ...]:
    at = given.get("insert_line")
    new = next((given[key] for key in (*_NEW, "insert_text") if key in given), None)
    if not isinstance(at, int) or not isinstance(new, str) or at < 0:
        return ()
    lines = current.splitlines(keepends=True)
    text = new if new.endswith("\n") else f"{new}\n"
    return ("".join([*lines[:at], text, *lines[at:]]),)


def _after_patch(patch: str, path: str, current: str) -> tuple[str, ...]:
    sections = _sections(patch)
    if any(path in names for names in _moves(sections)):
        return ()
    fitting = [(kind, lines) for kind, name, lines in sections if name == path]
    if len(fitting) != 1:
        return ()
    kind, lines = fitting[0]
    if kind == _DELETE:
        return ("{}",)
    if kind == _ADD:
        return ("\n".join(line[1:] for line in lines if line.startswith("+")) + "\n",)
    return _with_hunks(current, lines)


def _sections(patch: str) -> list[tuple[str, str, list[str]]]:
    """The files of a patch: what is done to each, its name, and the lines about it."""
    found: list[tuple[str, str, list[str]]] = []
    for line in patch.splitlines():
        mark = next((each for each in (_ADD, _UPDATE, _DELETE) if line.startswith(each)), "")
        if mark:
            found.append((mark, line[len(mark) :].strip(), []))
        elif found and line != "*** End Patch":
            found[-1][2].append(line)
    return found


def _moves(sections: list[tuple[str, str, list[str]]]) -> list[tuple[str, str]]:
    """The old and new names of files that a patch moves."""
    return [
        (name, line[len(_MOVE) :].strip())
        for _, name, lines in sections
        for line in lines
        if line.startswith(_MOVE)
    ]


def _with_hunks(current: str, section: list[str]) -> tuple[str, ...]:
    lines = current.split("\n")
    at = 0
    for old, new in _hunks(section):
        place = _find(lines, old, at)
        if place is None:
            return ()
        lines[place : place + len(old)] = new
        at = place + len(new)
    return ("\n".join(lines),)


def _hunks(section: list[str]) -> list[tuple[list[str], list[str]]]:
    found: list[tuple[list[str], list[str]]] = [([], [])]
    for line in section:
        if line.startswith("@@") or line == "*** End of File":
            found.append(([], []))
        elif line.startswith("-"):
            found[-1][0].append(line[1:])
        elif line.startswith("+"):
            found[-1][1].append(line[1:])
        else:
            for side in found[-1]:
                side.append(line[1:])
    return [hunk for hunk in found if hunk[0] or hunk[1]]


def _find(lines: list[str], old: list[str], start: int) -> int | None:
    if not old:
        return None
    plain = [each.strip() for each in old]
    for at in (*range(start, len(lines)), *range(start)):
        if [each.strip() for each in lines[at : at + len(old)]] == plain:
            return at
    return None
