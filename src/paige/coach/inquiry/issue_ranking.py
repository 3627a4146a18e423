"""Judges the open issues of the project for a person: what fits, and what it teaches.

That takes a model. Where none answers, the issues are listed as their tracker has them.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.coach.local.issues import listed
from paige.coach.message_parts import RankedIssue
from paige.coach.open_issues import FoundIssues, OpenIssue, fetch_issues
from paige.coach.prompting import ISSUES, make_call
from paige.coach.queries import recent_sessions
from paige.coach.records import CoachSession
from paige.coach.thinking.retrying import ask
from paige.coach.thinking.services import Recalled, Services
from paige.learner.queries import assessments, gaps
from paige.learner.records import Assessment, GapRow
from paige.models.errors import ProviderFailed
from paige.models.local import LOCAL, NoLocalEngine

MOST_BODY = 2_000
MOST_RECENT = 10
MOST_GAPS = 20
MOST_MEMORIES = 10
MOST_QUERY = 2_000


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of whoever chooses."""

    skills: tuple[Assessment, ...]
    gaps: tuple[GapRow, ...]
    recent: tuple[CoachSession, ...]


async def rank_issues(services: Services, actor: Actor) -> list[RankedIssue]:
    """The issues worth looking at, best first. Raises: Unavailable, ModelError."""
    found = await fetch_issues(services.project_dir, services.environ)
    if not found.issues:
        return []
    person = await services.database.read(_person, actor)
    issues = tuple(_shortened(each) for each in found.issues)
    memories = await _memories(services, actor, issues)
    call = make_call(ISSUES, _material(FoundIssues(issues, found.me), person, memories))
    try:
        answer = (await ask(services, actor, call)).value
    except (NoLocalEngine, ProviderFailed) as error:
        if isinstance(error, ProviderFailed) and services.models.fallback != LOCAL:
            raise
        return listed(FoundIssues(issues, found.me))
    titles = {each.number: each.title for each in issues}
    ranked: dict[int, RankedIssue] = {}
    for each in answer.issues:
        if each.number in titles:  # an issue that was made up is none
            named = each.model_copy(update={"title": titles[each.number]})
            ranked.setdefault(each.number, RankedIssue.model_validate(named))
    return list(ranked.values())


def _shortened(issue: OpenIssue) -> OpenIssue:
    return OpenIssue(
        number=issue.number,
        title=issue.title,
        body=issue.body[:MOST_BODY],
        labels=issue.labels,
        assignees=issue.assignees,
        comments=issue.comments,
    )


def _person(connection: Connection, actor: Actor) -> Person:
    completed = recent_sessions(connection, actor, status="completed", limit=MOST_RECENT)
    return Person(
        skills=tuple(assessments(connection, actor)),
        gaps=tuple(gaps(connection, actor, addressed=False)[:MOST_GAPS]),
        recent=tuple(completed),
    )


async def _memories(
    services: Services, actor: Actor, issues: tuple[OpenIssue, ...]
) -> list[Recalled]:
    """What earlier sessions have to do with the issues; nothing when memory does not answer."""
    if not await services.memories.available():
        return []
    text = "\n".join(each.title for each in issues)[:MOST_QUERY]
    return await services.memories.query(actor, text, MOST_MEMORIES)


def _material(found: FoundIssues, person: Person, memories: list[Recalled]) -> dict[str, object]:
    return {
        "github_issues": [
            {
                "number": each.number,
                "title": each.title,
                "body": each.body,
                "labels": list(each.labels),
                "assignees": list(each.assignees),
                "comments": each.comments,
            }
            for each in found.issues
        ],
        "user_logins": list(found.me),
        "user_dreyfus_stages": [
            {"skill_area": each.skill_area, "stage": each.stage, "confidence": each.confidence}
            for each in person.skills
        ],
        "recent_sessions": [
            {
                "issueTitle": each.issue_title,
                "completedAt": to_iso(each.ended_at) if each.ended_at else None,
            }
            for each in person.recent
        ],
        "knowledge_gaps": [
            {"topic": each.topic, "severity": each.severity} for each in person.gaps
        ],
        "related_memories": [{"content": each.content} for each in memories],
    }
