"""Explains a passage: at the person's stage in what it is about, with the phase they are in."""

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import cast

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base import python_source
from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.answers import ExplainAnswer, Explanation
from paige.coach.dashboard import stage_of_whole
from paige.coach.files.languages import language_of
from paige.coach.inquiry.disclosure import Secret, kept_back_from, open_secrets
from paige.coach.inquiry.services import Services, ask
from paige.coach.message_parts import Passage
from paige.coach.prompts import EXPLAIN, make_call
from paige.coach.records import CoachSession
from paige.language.words import runs
from paige.learner.queries import Assessment, assessments
from paige.learner.stages import Stage, parse_stage

LARGEST = 100_000  # signs; a larger text is not taken apart
MOST_SIGNS = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def parse_piece(code: str) -> ast.Module | None:
    """The tree of a piece of code, made whole if need be; `None` when it is no Python."""
    if len(code) > LARGEST:
        return None
    text = textwrap.dedent(code).strip("\n")
    body = textwrap.indent(text, "    ")
    ways = (
        text,
        f"{text}\n    pass",
        f"async def _():\n{body}",
        f"async def _():\n    while True:\n{textwrap.indent(text, '        ')}",
        f"if _:\n    pass\n{text}",
        f"try:\n    pass\n{text}",
    )
    for number, way in enumerate(ways):
        try:
            tree = python_source.parse(way)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return _unwrapped(tree, number)
    return None


def _unwrapped(tree: ast.Module, way: int) -> ast.Module:
    """The tree without what was put around it."""
    if way == 2:
        return ast.Module(cast("Function", tree.body[0]).body, [])
    if way == 3:
        loop = cast("ast.While", cast("Function", tree.body[0]).body[0])
        return ast.Module(loop.body, [])
    if way == 4:
        return ast.Module(cast("ast.If", tree.body[0]).orelse, [])
    return tree


def definitions(tree: ast.Module) -> list[Definition]:
    """The functions and classes a piece defines."""
    return [node for node in ast.walk(tree) if isinstance(node, Definition)]


def signature(node: Definition) -> str:
    """A definition as it is written, without its body; the name alone where that is long."""
    if isinstance(node, ast.ClassDef):
        inside = ", ".join(map(ast.unparse, node.bases))
        text = f"class {node.name}({inside})" if inside else f"class {node.name}"
    else:
        text = f"{node.name}({ast.unparse(node.args)})"
    return text if len(text) <= MOST_SIGNS else node.name


def called_names(tree: ast.Module) -> list[str]:
    """What a piece calls, in order, each once."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    names = (ast.unparse(node.func) for node in calls)
    return list(dict.fromkeys(name for name in names if len(name) <= MOST_SIGNS))


def imported_modules(text: str) -> list[tuple[int, str]]:
    """What Python imports, as the number of leading dots and the dotted name."""
    tree = parse_piece(text)
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            found += [(0, each.name) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            found.append((node.level, base))
            found += [(node.level, f"{base}.{each.name}".strip(".")) for each in node.names]
    return list(dict.fromkeys(each for each in found if each[1]))


CANNOT = "Explaining code needs a model, and none answered."
WITH_FACTS = "Set one up, or start from what the lines themselves say:"
WITHOUT_FACTS = "Set one up, or search the project for the names you do not know."
NOTHING = "Nothing is selected, so select the lines you wonder about and ask again."
MOST_NAMES = 6
_NAMES = re.compile(
    r"\b(?:function|func|fn|def|class|interface|struct|type|enum|trait)\s+([A-Za-z_]\w*)"
    r"|\b(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>"
)


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """The phase somebody is in."""

    number: int
    title: str
    description: str
    expected_files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageInputs:
    """What is to be explained, and where it stands."""

    text: str
    path: str
    language: str = "plaintext"
    context: str = ""
    lines: tuple[int, int] = (1, 1)
    phase: PhaseContext | None = None
    related_files: tuple[str, ...] = ()  # files of the project that the text points to


def explain_code(given: PassageInputs) -> ExplainAnswer:
    """What a passage says of itself, and that nobody explained it."""
    text = given.text if given.text.strip() else _around(given)
    facts = list(_facts(text, given.language))
    if not text.strip():
        said = NOTHING
    elif facts:
        said = f"{CANNOT} {WITH_FACTS}\n\n" + "\n".join(f"- {fact}" for fact in facts)
    else:
        said = f"{CANNOT} {WITHOUT_FACTS}"
    return ExplainAnswer(
        explanation=said,
        key_concepts=[],
        analogy=None,
        related_files=list(given.related_files) or None,
        phase_connection=_connection(given),
    )


def _around(given: PassageInputs) -> str:
    """The selected lines of the surrounding text, when nothing itself was selected."""
    lines = given.context.splitlines()
    first, last = given.lines
    chosen = lines[max(0, first - 1) : last] if 0 < first <= len(lines) else []
    return "\n".join(chosen) if any(line.strip() for line in chosen) else given.context


def _facts(text: str, language: str) -> Iterator[str]:
    tree = parse_piece(text) if language == "python" else None
    if tree is None:
        names = [one or other for one, other in _NAMES.findall(text)]
        if names:
            yield f"It defines {_listed(names)}."
        return
    yield from (_defined(node) for node in definitions(tree)[:MOST_NAMES])
    if calls := called_names(tree):
        yield f"It calls {_listed(calls)}."


def _defined(node: Definition) -> str:
    says = (ast.get_docstring(node) or "").partition("\n")[0]
    return f"It defines `{signature(node)}`" + (f": “{says}”" if says else ".")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names[:MOST_NAMES]))


def _connection(given: PassageInputs) -> str | None:
    phase = given.phase
    if phase is None or given.path not in phase.expected_files:
        return None
    return f"This is one of the files that phase {phase.number}, “{phase.title}”, expects."


MOST_RELATED = 8
_QUOTED = re.compile(r"""(?:from|import|require\()\s*['"](\.{1,2}/[^'"]+)['"]""")
_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.tsx", "/index.js")


@dataclass(frozen=True, slots=True)
class ReaderStanding:
    """What the database knows about who asks: stage, phase, and katas that are still open."""

    stage: Stage
    phase: PhaseContext | None
    secrets: tuple[Secret, ...]


async def explain(
    services: Services, actor: Actor, session: CoachSession | None, passage: Passage
) -> Explanation:
    """What a passage means. Raises: ModelError when nobody says."""
    language = passage.language or language_of(passage.path)
    now = services.now()
    asker = await services.database.read(_standing, actor, session, passage, language, now)
    related = await run_sync(related_files, services.project_dir, passage, language)
    given = _given(passage, language, asker, related)
    call = make_call(
        EXPLAIN,
        _material(given, passage),
        inputs=given,
        session_id=session.id if session else None,
        holes={"dreyfus_stage": asker.stage},
    )
    called = await ask(services, actor, call)
    answer = called.value
    own = (passage.selected_text, passage.surrounding_context)
    secrets = [replace(each, said=(*each.said, *own)) for each in asker.secrets]
    hold = partial(kept_back_from, secrets, now=now)
    settled = {
        "explanation": await run_sync(hold, answer.explanation),
        # Without a phase there is nothing to connect with, whatever a model says.
        "phase_connection": answer.phase_connection if asker.phase else None,
    }
    return Explanation(**{**answer.model_dump(), **settled}, model=called.model)


def _standing(
    connection: Connection,
    actor: Actor,
    session: CoachSession | None,
    passage: Passage,
    language: str,
    now: datetime,
) -> ReaderStanding:
    phase = queries.active_phase(connection, actor, session.id) if session else None
    rows = assessments(connection, actor)
    about = f"{language} {passage.path} {passage.selected_text} {passage.surrounding_context}"
    return ReaderStanding(
        stage=stage_in(rows, language, about),
        phase=None
        if phase is None
        else PhaseContext(phase.number, phase.title, phase.description, phase.expected_files),
        secrets=open_secrets(connection, actor, now),
    )


def stage_in(rows: Sequence[Assessment], language: str, about: str) -> Stage:
    """The stage that fits best: of what the text is about, of its language, of the whole.

    Without any assessment everybody is a novice.
    """
    words = _named(about)
    ranked: list[tuple[float, Stage]] = []
    for row in rows:
        named = _named(row.skill_area)
        share = len(named & words) / len(named) if named else 0.0
        if share >= 0.5 or language in named:
            ranked.append((share + 0.5 * (language in named), row.stage))
    if ranked:
        return max(ranked, key=lambda pair: pair[0])[1]
    whole = stage_of_whole([(row.stage, row.confidence) for row in rows])
    return parse_stage(whole) if whole else "novice"


def _named(text: str) -> set[str]:
    return {word for word in runs(text.casefold()) if len(word) > 2}


def _given(
    passage: Passage, language: str, asker: ReaderStanding, related: tuple[str, ...]
) -> PassageInputs:
    return PassageInputs(
        text=passage.selected_text,
        path=passage.path,
        language=language,
        context=passage.surrounding_context,
        lines=(passage.selection.start_line, passage.selection.end_line),
        phase=asker.phase,
        related_files=related,
    )


def _material(given: PassageInputs, passage: Passage) -> dict[str, object]:
    phase = given.phase
    return {
        "selected_code": given.text,
        "surrounding_context": given.context,
        "file_path": given.path,
        "language": given.language,
        "selection": passage.selection.model_dump(by_alias=True),
        "current_phase": None
        if phase is None
        else {"number": phase.number, "title": phase.title, "description": phase.description},
    }


def related_files(root: Path | None, passage: Passage, language: str) -> tuple[str, ...]:
    """Files of the project that the imports around a passage name."""
    if root is None:
        return ()
    text = f"{passage.surrounding_context}\n{passage.selected_text}"
    folder = PurePosixPath(passage.path).parent
    if language == "python":
        names = _python_files(text, folder)
    else:
        names = [
            (folder / f"{name}{ending}").as_posix()
            for name in _QUOTED.findall(text)
            for ending in _ENDINGS
        ]
    found = (_inside(root, name) for name in dict.fromkeys(names))
    return tuple(name for name in found if name and name != passage.path)[:MOST_RELATED]


def _python_files(text: str, folder: PurePosixPath) -> list[str]:
    lines = "\n".join(line.strip() for line in text.splitlines() if _IMPORT.match(line))
    names: list[str] = []
    for dots, module in imported_modules(lines):
        parts = module.split(".")
        starts = [folder.joinpath(*[".."] * (dots - 1))] if dots else [PurePosixPath("."), folder]
        starts += [] if dots else [PurePosixPath("src")]
        for start in starts:
            place = start.joinpath(*parts).as_posix()
            names += [f"{place}.py", f"{place}/__init__.py"]
    return names


_IMPORT = re.compile(r"^\s*(?:import\s+\w|from\s+[\w.]+\s+import\s+[\w(*])")


def _inside(root: Path, name: str) -> str | None:
    """The project's name of a file that is there; a way out of the project is none."""
    try:
        place = (root / name).resolve()
        top = root.resolve()
        return place.relative_to(top).as_posix() if place.is_file() else None
    except (ValueError, OSError):
        return None
