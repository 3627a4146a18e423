"""Lists issues without a model: as their tracker has them, yours first, and not judged."""

import re

from paige.coach.message_parts import PriorityFactors, RankedIssue
from paige.coach.open_issues import FoundIssues, OpenIssue

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
