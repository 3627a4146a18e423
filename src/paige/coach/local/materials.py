"""Reading for a gap without a model: from a list of stable pages that ships with Paige.

A resource belongs to topics. A gap finds those that name it or one of its related concepts; pages
for the person's stage come first.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.coach.answers import FoundResource, MaterialsAnswer, MaterialsForGap
from paige.learner.gaps import same_topic
from paige.learner.stages import STAGES, Stage

FILE = "coach/resources.toml"
MOST_RESOURCES = 4


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap to read about."""

    topic: str
    severity: str = "medium"
    related_concepts: tuple[str, ...] = ()
    frequency: int = 1


@dataclass(frozen=True, slots=True)
class KataName:
    """A kata that is there, and its topic."""

    title: str
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialsWanted:
    """What to find something for, and for whom."""

    gaps: tuple[Gap, ...]
    stage: Stage = "novice"
    languages: tuple[str, ...] = ()  # what the project is written in, most of it first
    katas: tuple[KataName, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """A resource of the list."""

    title: str
    url: str
    type: Literal["documentation", "article", "video", "tutorial"]
    description: str
    minutes: int
    topics: tuple[str, ...]
    languages: tuple[str, ...]
    stages: tuple[Stage, ...]


def find_materials(wanted: MaterialsWanted) -> MaterialsAnswer:
    """What to read for each gap; a gap nobody wrote about is left out."""
    listed = read_resources()
    found = [_for_gap(gap, wanted, listed) for gap in wanted.gaps]
    return MaterialsAnswer(recommendations=[each for each in found if each is not None])


def _for_gap(gap: Gap, wanted: MaterialsWanted, listed: Iterable[Listed]) -> MaterialsForGap | None:
    # A gap may be about something else than what the project is mostly written in.
    ranked = _ranked(gap, wanted, listed) or _ranked(gap, replace(wanted, languages=()), listed)
    if not ranked:
        return None
    resources = [_resource(score, each) for score, each in ranked]
    kata = next((k for k in wanted.katas if same_topic(k.topic, gap.topic)), None)
    return MaterialsForGap(
        knowledge_gap=gap.topic,
        resources=resources,
        study_order=_order(resources),
        practice_connection=f"Then try the kata “{kata.title}”." if kata else None,
    )


def _ranked(
    gap: Gap, wanted: MaterialsWanted, listed: Iterable[Listed]
) -> list[tuple[float, Listed]]:
    scored = [(fit(each, gap, wanted), each) for each in listed]
    return sorted(
        ((score, each) for score, each in scored if score >= 2),
        key=lambda pair: (-pair[0], pair[1].minutes, pair[1].title),
    )[:MOST_RESOURCES]


def fit(resource: Listed, gap: Gap, wanted: MaterialsWanted) -> float:
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


def _resource(score: float, resource: Listed) -> FoundResource:
    relevance = "direct" if score >= 4 else "supplementary"
    if relevance == "direct" and resource.minutes >= 30:
        relevance = "deep_dive"
    return FoundResource(
        type=resource.type,
        title=resource.title,
        url=resource.url,
        description=resource.description,
        relevance=relevance,
        estimated_time=f"{resource.minutes} min",
    )


def _order(resources: list[FoundResource]) -> str:
    by_length = sorted(resources, key=lambda each: int(each.estimated_time.split()[0]))
    return f"Shortest first: {', '.join(f'“{each.title}”' for each in by_length)}."


def web_search_type() -> str:
    """The name of the tool that searches the web at Anthropic."""
    return str(_data()["web_search"])


@lru_cache(maxsize=1)
def read_resources() -> tuple[Listed, ...]:
    """Every resource of the list. Raises: BadInput naming one that is not right."""
    return tuple(_read(each) for each in _data()["resource"])


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(shipped(FILE).read_text(encoding="utf-8"))


def _read(entry: Mapping[str, Any]) -> Listed:
    title = entry.get("title")
    try:
        stages = tuple(entry.get("stages", STAGES))
        read = Listed(
            title=entry["title"],
            url=entry["url"],
            type=entry["type"],
            description=entry["description"],
            minutes=entry["minutes"],
            topics=tuple(entry["topics"]),
            languages=tuple(entry.get("languages", ())),
            stages=stages,
        )
    except KeyError as error:
        raise BadInput(f"`{FILE}`: the resource `{title}` has no {error}") from None
    if not read.url.startswith("https://") or not read.topics or not set(stages) <= set(STAGES):
        raise BadInput(f"`{FILE}`: the resource `{title}` needs an https address, topics, stages")
    return read
