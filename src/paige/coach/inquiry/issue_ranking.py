"""Judges the open issues of the project for a person: what fits, and what it teaches.

That takes a model. Where none answers, the issues are listed as their tracker has them.
"""

import re
from dataclasses import dataclass

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.coach.inquiry.services import Recollection, Services, ask
from paige.coach.issues import FoundIssues, OpenIssue, fetch_issues
from paige.coach.message_parts import PriorityFactors, RankedIssue
from paige.coach.prompts import ISSUES, make_call
from paige.coach.queries import recent_sessions
from paige.coach.records import CoachSession
from paige.learner.queries import Assessment, GapRow, assessments, gaps
from paige.models.errors import ProviderFailed
from paige.models.local import LOCAL, NoLocalEngine

CANNOT = (
    "Judging whether it suits you needs a model, and none answered: read it and decide yourself."
)
MOST_SUMMARY = 240
_CODE = re.compile(r"```.*?(?:```|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKS = re.compile(r"[#*_>`~|-]++|!?\[([^\[\]]*+)\]\([^()\n]{0,300}\)")


def listed(found: FoundIssues) -> list[RankedIssue]:
    """The issues, those of the person first, each with the start of what it says."""
    issues = [_issue(each, is_mine=_is_mine(each, found.me)) for each in found.issues]
    return sorted(issues, key=lambda each: not each.priority_factors.user_tagged)


def _issue(issue: OpenIssue, *, is_mine: bool) -> RankedIssue:
    return RankedIssue(
        number=issue.number,
        title=issue.title,
        summary=summary_of(issue),
        suitability="unknown",
        suitability_reason=CANNOT,
        estimated_difficulty="unknown",
        relevant_skills=[],
        priority_score=0.0,
        priority_factors=PriorityFactors(
            user_tagged=is_mine,
            similar_to_recent_work=False,
            addresses_knowledge_gap=False,
            team_urgency="unknown",
        ),
        learning_opportunities=[],
    )


def _is_mine(issue: OpenIssue, me: tuple[str, ...]) -> bool:
    names = {name.casefold() for name in me}
    if names & {name.casefold() for name in issue.assignees}:
        return True
    body = issue.body.casefold()
    return any(re.search(rf"@{re.escape(name)}(?![\w-])", body) for name in names)


def summary_of(issue: OpenIssue) -> str:
    """How the description of an issue begins, without markup."""
    plain = _MARKS.sub(lambda match: match[1] or " ", _CODE.sub(" ", issue.body))
    plain = " ".join(plain.split())
    if len(plain) <= MOST_SUMMARY:
        return plain or "It has no description."
    return f"{plain[:MOST_SUMMARY].rsplit(' ', 1)[0]} …"


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
) -> list[Recollection]:
    """What earlier sessions have to do with the issues; nothing when memory does not answer."""
    text = "\n".join(each.title for each in issues)[:MOST_QUERY]
    return await services.memories.query(actor, text, MOST_MEMORIES)


def _material(
    found: FoundIssues, person: Person, memories: list[Recollection]
) -> dict[str, object]:
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
