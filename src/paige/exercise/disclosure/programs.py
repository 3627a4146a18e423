"""Answers that are code: the missing lines, under whatever names, at once or over turns."""

import re
from collections.abc import Iterator

from paige.exercise.disclosure.case import Case, Finding, Said
from paige.exercise.disclosure.code import (
    Program,
    code_in,
    nameless,
    names_defined,
    read_program,
)
from paige.exercise.disclosure.key import Form

_MOST = 0.5  # the share of the missing lines that is as good as all of them
_SAME = 0.7  # the share of token runs that makes two programs one
_WHOLE = Finding("code", 4, "The reply contains the code that is asked for")


def programmed(form: Form, case: Case) -> Iterator[Finding]:
    """Code that completes the learner's, or a line of it."""
    if form.kind != "code":
        return
    wanted = read_program(form.raw)
    had = [case.question, *case.learner]
    shapes = {line.shape for said in had for line in read_program(said.raw).lines}
    missing = [line for line in wanted.lines if line.shape not in shapes] or list(wanted.lines)
    now, before = _code(case.reply), [_code(said) for said in case.tutor]
    given = {line.shape for line in now.lines}
    told = given.union(*({line.shape for line in each.lines} for each in before))
    weight = sum(line.weight for line in missing)
    fresh = [line for line in missing if line.shape in given]
    shown = sum(line.weight for line in missing if line.shape in told)
    if fresh and shown >= _MOST * weight:
        yield _WHOLE
    elif fresh and any(line.weight > 3 for line in fresh):
        yield Finding("code", 3, "The reply contains a line of the code that is asked for")
    yield from _another_way(form, now, case)
    yield from _same_stream(wanted, now, case)
    yield from _inside_text(form, case, shapes)


def wrote(form: Form, said: Said, question: Said) -> bool:
    """Whether someone wrote the code themself, all but a breath of it."""
    had = {line.shape for line in read_program(question.raw).lines}
    wanted = [line for line in read_program(form.raw).lines if line.shape not in had]
    mine = {line.shape for line in read_program(code_in(said.seen)).lines}
    mine |= {line.shape for line in read_program(said.seen).lines}
    weight = sum(line.weight for line in wanted)
    there = sum(line.weight for line in wanted if line.shape in mine)
    core = _squeezed(form.raw.casefold())
    return (weight > 0 and there >= 0.9 * weight) or (
        len(core) < 60 and core in _squeezed(said.folded)
    )


def _code(said: Said) -> Program:
    return read_program(code_in(said.seen))


def _another_way(form: Form, now: Program, case: Case) -> Iterator[Finding]:
    """The function that is asked for, with a body, is an answer even if it is another one."""
    asked = names_defined(form.raw) | names_defined(case.question.raw)
    had = frozenset().union(*(_code(said).defined for said in case.learner))
    start = max((case.reply.seen.find(f"def {name}(") for name in asked), default=-1)
    told = read_program(case.reply.seen[start:]).defined if start > 0 else frozenset()
    if (now.defined | told) & asked - had:
        yield Finding("code", 4, "The reply writes the function that is asked for")


def _same_stream(wanted: Program, now: Program, case: Case) -> Iterator[Finding]:
    had = frozenset().union(
        read_program(case.question.raw).grams, *(_code(said).grams for said in case.learner)
    )
    secret = wanted.grams - had
    if len(secret) >= 4 and len(secret & now.grams) >= _SAME * len(secret):
        yield _WHOLE


def _inside_text(form: Form, case: Case, shapes: set[str]) -> Iterator[Finding]:
    """A line of the solution written in the middle of a sentence."""
    said = case.reply.folded
    squeezed, unnamed = _squeezed(said), nameless(said)
    known = _squeezed(" ".join(said.folded for said in (case.question, *case.learner)))
    lines = [line.strip() for line in form.raw.splitlines()]
    telling = [
        line
        for line in lines
        if len(_squeezed(line.casefold())) > 5
        and not line.startswith(("def ", "class ", "import ", "from ", "#", "```", '"""'))
        and _squeezed(line.casefold()) not in known
    ]
    found = [
        line
        for line in telling
        if _squeezed(line.casefold()) in squeezed
        or _core(line) in squeezed
        or _nameless(line) in unnamed
    ]
    if found and len(found) >= _MOST * len(telling):
        yield _WHOLE
    elif found:
        yield Finding("code", 3, "The reply contains a line of the code that is asked for")


def _core(line: str) -> str:
    """What a `return` or an assignment is about; nothing shorter than an expression."""
    matched = re.match(r"^(?:return |print\(|\w+ ?[-+*/]?= ?)(.+?)\)?$", line.casefold())
    core = _squeezed(matched[1]) if matched else ""
    return core if len(core) > 6 and re.search(r"[-+*/%(\[]", core) else "\0"


def _nameless(line: str) -> str:
    """The telling part of a line with its names forgotten."""
    plain = re.sub(r"^(?:return |\w+ ?[-+*/]?= ?)", "", line.casefold())
    core = nameless(plain)
    return core if len(core) > 6 and re.search(r"[-+*/%\[<>]|\(.*\(", core) else "\0"


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", text).replace("'", '"')
