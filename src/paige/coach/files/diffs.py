"""The difference between a saved file and its buffer, as a unified diff.

Lines end at `\\n` only, as git has it, so that the diff can be applied with the usual tools.
"""

from collections.abc import Iterator

from paige.language.line_steps import Step, compare

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(path: str, old: str | None, new: str) -> str:
    """The diff from the saved text to the new one; without `old` there is no saved file."""
    if (old or "") == new:
        return ""
    before, after = _same_newlines(old or "", new)
    name = f"{path}\t" if " " in path else path  # as git does, so that names end somewhere
    head = f"--- {'/dev/null' if old is None else 'a/' + name}\n+++ b/{name}\n"
    a, b = _lines(before), _lines(after)
    return head + "".join(_hunk(a, b, steps) for steps in _hunks(compare(a, b)))


def _hunks(steps: list[Step]) -> Iterator[list[Step]]:
    """The steps in groups, with a few equal lines around each change."""
    hunk: list[Step] = []
    for number, step in enumerate(steps):
        if step.tag != "equal":
            hunk.append(step)
            continue
        first, last = number == 0, number == len(steps) - 1
        if not first and (last or step.a2 - step.a1 > 2 * _CONTEXT):
            yield [*hunk, _first_lines(step)]
            hunk = []
        if not last:
            hunk.append(step if hunk else _last_lines(step))
    if hunk:
        yield hunk


def _first_lines(step: Step) -> Step:
    count = min(_CONTEXT, step.a2 - step.a1)
    return Step("equal", step.a1, step.a1 + count, step.b1, step.b1 + count)


def _last_lines(step: Step) -> Step:
    count = min(_CONTEXT, step.a2 - step.a1)
    return Step("equal", step.a2 - count, step.a2, step.b2 - count, step.b2)


def _hunk(a: list[str], b: list[str], steps: list[Step]) -> str:
    first, last = steps[0], steps[-1]
    text = [f"@@ -{_range(first.a1, last.a2)} +{_range(first.b1, last.b2)} @@\n"]
    for step in steps:
        if step.tag == "equal":
            text += [_shown(" ", line) for line in a[step.a1 : step.a2]]
        else:
            text += [_shown("-", line) for line in a[step.a1 : step.a2]]
            text += [_shown("+", line) for line in b[step.b1 : step.b2]]
    return "".join(text)


def _range(start: int, end: int) -> str:
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _lines(text: str) -> list[str]:
    """The lines without their ends; only a last line that lacks its end is marked, with one."""
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n"] if last else lines


def _shown(sign: str, line: str) -> str:
    return f"{sign}{line}{_NO_NEWLINE}" if line.endswith("\n") else f"{sign}{line}\n"


def _same_newlines(old: str, new: str) -> tuple[str, str]:
    """Both texts with plain line ends when all of theirs are alike: then they tell nothing."""
    texts = [text for text in (old, new) if text]
    if all(text.count("\r\n") == text.count("\n") > 0 for text in texts):
        return old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    return old, new
