"""Finds something to read for what a person lacks most.

A provider that can search the web is asked to; Anthropic's runs the search on its side. Any other
answers from the list that ships with Paige, for an address that nobody looked up is worth little.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from anyio.to_thread import run_sync
from pydantic import TypeAdapter
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.paths import shipped
from paige.coach.answers import MaterialsAnswer
from paige.coach.dashboard import stage_of_whole
from paige.coach.files.languages import PLAIN, language_of
from paige.coach.inquiry.services import Services, ask
from paige.coach.message_parts import Recommendation, Resource
from paige.coach.prompts import MATERIALS, make_call
from paige.learner.gaps import SEVERITIES, same_topic
from paige.learner.queries import GapRow, assessments, gaps, katas
from paige.learner.stages import STAGES, Stage, parse_stage
from paige.models.calls import Call, read_answer, request_of
from paige.models.requests import ServerTool

FILE = "coach/resources.toml"
MOST_RESOURCES = 4


@dataclass(frozen=True, slots=True)
class KataName:
    """A kata that is there, and its topic."""

    title: str
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialInputs:
    """What to find something for, and for whom."""

    gaps: tuple[GapRow, ...]
    stage: Stage = "novice"
    languages: tuple[str, ...] = ()  # what the project is written in, most of it first
    katas: tuple[KataName, ...] = ()


@dataclass(frozen=True, slots=True)
class MaterialEntry:
    """A resource of the list."""

    title: str
    url: str
    type: Literal["documentation", "article", "video", "tutorial"]
    description: str
    minutes: int
    topics: tuple[str, ...]
    languages: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = STAGES


def listed_materials(wanted: MaterialInputs) -> MaterialsAnswer:
    """What to read for each gap; a gap nobody wrote about is left out."""
    listed = read_resources()
    found = [_for_gap(gap, wanted, listed) for gap in wanted.gaps]
    return MaterialsAnswer(recommendations=[each for each in found if each is not None])


def _for_gap(
    gap: GapRow, wanted: MaterialInputs, listed: Iterable[MaterialEntry]
) -> Recommendation | None:
    # A gap may be about something else than what the project is mostly written in.
    ranked = _ranked(gap, wanted, listed) or _ranked(gap, replace(wanted, languages=()), listed)
    if not ranked:
        return None
    resources = [_resource(score, each) for score, each in ranked]
    kata = next((k for k in wanted.katas if same_topic(k.topic, gap.topic)), None)
    return Recommendation(
        knowledge_gap=gap.topic,
        resources=resources,
        study_order=_order(resources),
        practice_connection=f"Then try the kata “{kata.title}”." if kata else None,
    )


def _ranked(
    gap: GapRow, wanted: MaterialInputs, listed: Iterable[MaterialEntry]
) -> list[tuple[float, MaterialEntry]]:
    scored = [(fit(each, gap, wanted), each) for each in listed]
    return sorted(
        ((score, each) for score, each in scored if score >= 2),
        key=lambda pair: (-pair[0], pair[1].minutes, pair[1].title),
    )[:MOST_RESOURCES]


def fit(resource: MaterialEntry, gap: GapRow, wanted: MaterialInputs) -> float:
    """How well a resource fits a gap; below 2 it does not."""
    if resource.languages and not set(resource.languages).intersection(
        wanted.languages or resource.languages
    ):
        return 0.0
    own = any(same_topic(topic, gap.topic) for topic in resource.topics)
    related = any(
        same_topic(topic, name) for topic in resource.topics for name in gap.related_concepts
    )
    score = 4.0 * own + 2.0 * related
    return score + 0.5 * (wanted.stage in resource.stages) if score else 0.0


def _resource(score: float, resource: MaterialEntry) -> Resource:
    relevance = "direct" if score >= 4 else "supplementary"
    if relevance == "direct" and resource.minutes >= 30:
        relevance = "deep_dive"
    return Resource(
        type=resource.type,
        title=resource.title,
        url=resource.url,
        description=resource.description,
        relevance=relevance,
        estimated_time=f"{resource.minutes} min",
    )


def _order(resources: list[Resource]) -> str:
    by_length = sorted(resources, key=lambda each: int(each.estimated_time.split()[0]))
    return f"Shortest first: {', '.join(f'“{each.title}”' for each in by_length)}."


def web_search_type() -> str:
    """The name of the tool that searches the web at Anthropic."""
    return str(_data()["web_search"])


@lru_cache(maxsize=1)
def read_resources() -> tuple[MaterialEntry, ...]:
    """Every resource of the list."""
    return TypeAdapter(tuple[MaterialEntry, ...]).validate_python(_data()["resource"])


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(shipped(FILE).read_text(encoding="utf-8"))


MOST_GAPS = 5
MOST_SEARCHES = 5
SEARCHES = "anthropic"  # who runs a search of the web for us
_DATA = {PLAIN, "json", "markdown", "yaml", "toml", "ini", "csv", "log", "xml", "jsonc"}


@dataclass(frozen=True, slots=True)
class Lacks:
    """What a person lacks most, and what there is to practise."""

    gaps: tuple[GapRow, ...]
    katas: tuple[KataName, ...]
    stage: Stage


async def find_materials(services: Services, actor: Actor) -> list[Recommendation] | None:
    """What to read; `None` when nothing is lacking. Raises: ModelError when nobody says."""
    lacks = await services.database.read(_lacks, actor)
    if not lacks.gaps:
        return None
    languages = languages_of(await run_sync(services.project_files))
    wanted = MaterialInputs(
        gaps=lacks.gaps,
        stage=lacks.stage,
        languages=languages,
        katas=lacks.katas,
    )
    searches = services.models.provider.name == SEARCHES
    call = make_call(
        MATERIALS,
        _material(wanted),
        inputs=wanted,
        holes={"dreyfus_stage": wanted.stage},
        tools=(ServerTool(web_search_type(), "web_search", {"max_uses": MOST_SEARCHES}),)
        if searches
        else (),
    )
    if searches:
        answer = (await ask(services, actor, call)).value
    else:
        answer = await _listed(services, call)
    return list(answer.recommendations)


async def _listed(services: Services, call: Call[MaterialsAnswer]) -> MaterialsAnswer:
    answer = await services.models.local.ask(request_of(call))
    return read_answer(answer, call.response_schema)


def _lacks(connection: Connection, actor: Actor) -> Lacks:
    missing = gaps(connection, actor, addressed=False)
    rows = assessments(connection, actor)
    whole = stage_of_whole([(row.stage, row.confidence) for row in rows])
    return Lacks(
        gaps=tuple(sorted(missing, key=_weight)[:MOST_GAPS]),
        katas=tuple(KataName(row.kata.title, row.topic) for row in katas(connection, actor)),
        stage=parse_stage(whole) if whole else "novice",
    )


def _weight(gap: GapRow) -> tuple[int, int, str]:
    return -SEVERITIES.index(gap.severity), -gap.frequency, gap.id


def languages_of(paths: tuple[str, ...]) -> tuple[str, ...]:
    """What a project is written in, most of it first."""
    counted = Counter(language_of(path) for path in paths)
    names = [name for name, _ in counted.most_common() if name not in _DATA]
    return tuple(name.removesuffix("react") for name in names[:6])


def _material(wanted: MaterialInputs) -> dict[str, object]:
    return {
        "knowledge_gaps": [
            {
                "topic": each.topic,
                "severity": each.severity,
                "relatedConcepts": list(each.related_concepts),
                "frequency": each.frequency,
            }
            for each in wanted.gaps
        ],
        "tech_stack": ", ".join(wanted.languages),
        "available_katas": [each.title for each in wanted.katas],
    }
