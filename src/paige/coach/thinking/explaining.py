"""Explains a passage: at the person's stage in what it is about, with the phase they are in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.disclosing import Secret, kept_back_from
from paige.coach.files.languages import language_of
from paige.coach.kept_secrets import open_secrets
from paige.coach.local.explain import PassageGiven, PhaseContext
from paige.coach.local.python_reading import imported_modules
from paige.coach.model import Explanation, Passage
from paige.coach.prompting import EXPLAIN, make_call
from paige.coach.records import CoachSession
from paige.coach.skills import stage_of_whole
from paige.coach.thinking.retrying import ask
from paige.coach.thinking.services import Services
from paige.learner.queries import assessments
from paige.learner.records import Assessment
from paige.learner.stages import Stage, parse_stage

MOST_RELATED = 8
_WORD = re.compile(r"[^\W\d_]{3,}")
_QUOTED = re.compile(r"""(?:from|import|require\()\s*['"](\.{1,2}/[^'"]+)['"]""")
_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.tsx", "/index.js")


@dataclass(frozen=True, slots=True)
class Standing:
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
    return Explanation(
        explanation=await run_sync(hold, answer.explanation),
        key_concepts=tuple(answer.key_concepts),
        analogy=answer.analogy,
        related_files=None if answer.related_files is None else tuple(answer.related_files),
        # Without a phase there is nothing to connect with, whatever a model says.
        phase_connection=answer.phase_connection if asker.phase else None,
        model=called.model,
    )


def _standing(
    connection: Connection,
    actor: Actor,
    session: CoachSession | None,
    passage: Passage,
    language: str,
    now: datetime,
) -> Standing:
    phase = queries.active_phase(connection, actor, session.id) if session else None
    rows = assessments(connection, actor)
    about = f"{language} {passage.path} {passage.selected_text} {passage.surrounding_context}"
    return Standing(
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
    words = {word.casefold() for word in _WORD.findall(about)}
    ranked: list[tuple[float, Stage]] = []
    for row in rows:
        named = {word.casefold() for word in _WORD.findall(row.skill_area)}
        share = len(named & words) / len(named) if named else 0.0
        if share >= 0.5 or language in named:
            ranked.append((share + 0.5 * (language in named), row.stage))
    if ranked:
        return max(ranked, key=lambda pair: pair[0])[1]
    whole = stage_of_whole([(row.stage, row.confidence) for row in rows])
    return parse_stage(whole) if whole else "novice"


def _given(
    passage: Passage, language: str, asker: Standing, related: tuple[str, ...]
) -> PassageGiven:
    return PassageGiven(
        text=passage.selected_text,
        path=passage.path,
        language=language,
        context=passage.surrounding_context,
        lines=(passage.selection.start_line, passage.selection.end_line),
        phase=asker.phase,
        related_files=related,
    )


def _material(given: PassageGiven, passage: Passage) -> dict[str, object]:
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
