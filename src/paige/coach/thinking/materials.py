"""Finds something to read for what a person lacks most.

A provider that can search the web is asked to; Anthropic's runs the search on its side. Any other
answers from the list that ships with Paige, for an address that nobody looked up is worth little.
"""

from collections import Counter
from dataclasses import dataclass

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.answers import MaterialsAnswer
from paige.coach.files.languages import PLAIN, language_of
from paige.coach.local.materials import Gap, KataName, MaterialsWanted, web_search_type
from paige.coach.message_parts import Recommendation
from paige.coach.prompting import MATERIALS, make_call
from paige.coach.skills import stage_of_whole
from paige.coach.thinking.project import files_of
from paige.coach.thinking.retrying import ask
from paige.coach.thinking.services import Services
from paige.learner.gaps import SEVERITIES
from paige.learner.queries import assessments, gaps, katas
from paige.learner.records import GapRow
from paige.learner.stages import Stage, parse_stage
from paige.models.calls import Call, request_of
from paige.models.requests import ServerTool
from paige.models.structured import read_answer

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
    languages = languages_of(await run_sync(files_of, services.project_dir))
    wanted = MaterialsWanted(
        gaps=tuple(
            Gap(each.topic, each.severity, each.related_concepts, each.frequency)
            for each in lacks.gaps
        ),
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
    return [Recommendation.model_validate(each) for each in answer.recommendations]


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


def _material(wanted: MaterialsWanted) -> dict[str, object]:
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
