"""Judges issues without a model: by labels, words, and what the person knows, lacks and did lately.

How hard an issue looks is guessed from its labels and words; how hard it may be comes from the
person's stages. What lies at or just above them is a good fit. Every judgement says what it rests
on, so that nobody has to believe it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from paige.coach.answers import AssessedIssue, IssueAssessmentAnswer, IssuePriority
from paige.coach.open_issues import OpenIssue

MOST = 10
MOST_SUMMARY = 240
Difficulty = Literal["beginner", "intermediate", "advanced"]
_EASY = re.compile(
    r"good.first.issue|beginner|easy|starter|low.hanging|\bdocs?\b|documentation|typo|readme"
    r"|wording|spelling|\bcopy\b|rename|broken link",
    re.IGNORECASE,
)
_HARD = re.compile(
    r"\bepic\b|architect|redesign|rewrite|migrat|performance|scal(?:e|ing|ability)|concurren"
    r"|race condition|dead.?lock|memory leak|security|cryptograph|distributed|replicat|backward"
    r"|breaking change|compiler|\bhard\b|advanced|complex|refactor the whole",
    re.IGNORECASE,
)
_MIDDLE = re.compile(
    r"\bapi\b|endpoint|database|\bsql\b|query|cache|async|parser|valid|refactor|test|feature"
    r"|state|auth|upload|export|import|pagination|time.?zone|unicode|retry|timeout",
    re.IGNORECASE,
)
_URGENT = re.compile(
    r"\bp0\b|\bp1\b|critical|urgent|blocker|regression|security|data loss|production|crash",
    re.IGNORECASE,
)
_SOMEWHAT = re.compile(r"\bp2\b|\bbug\b|important|high|release|milestone|customer", re.IGNORECASE)
_WORD = re.compile(r"[a-z][a-z+#]{2,}", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKS = re.compile(r"[#*_>`~|-]++|!?\[([^\[\]]*+)\]\([^()\n]{0,300}\)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_COMMON = frozenset(
    (
        *("about", "add", "after", "all", "and", "any", "are", "bug", "but", "can", "code"),
        *("does", "error", "fail", "feature", "file", "fix", "for", "from", "get", "has"),
        *("have", "how", "into", "issue", "just", "make", "more", "need", "new", "not", "now"),
        *("one", "our", "out", "please", "should", "some", "test", "than", "that", "the"),
        *("them", "then", "there", "they", "this", "use", "used", "user", "users", "using"),
        *("want", "was", "when", "which", "will", "with", "work", "works", "would", "you"),
    )
)
_RANK = {"beginner": 0, "intermediate": 1, "advanced": 2}
_REACH = {
    "novice": 0,
    "advanced_beginner": 0,
    "competent": 1,
    "proficient": 2,
    "expert": 2,
}


@dataclass(frozen=True, slots=True)
class Skill:
    """A judged skill."""

    area: str
    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuesGiven:
    """What there is to choose from, and for whom."""

    issues: tuple[OpenIssue, ...]
    skills: tuple[Skill, ...] = ()
    gaps: tuple[str, ...] = ()  # topics, the worst first
    recent: tuple[str, ...] = ()  # titles of issues that were worked on
    me: tuple[str, ...] = ()  # names the person has at the tracker


def assess_issues(given: IssuesGiven) -> IssueAssessmentAnswer:
    """The issues worth looking at, best first, ten at most."""
    judged = [_assess(issue, given) for issue in given.issues]
    ranked = sorted(judged, key=lambda each: (-each.priority_score, each.number))
    return IssueAssessmentAnswer(issues=ranked[:MOST])


def difficulty_of(issue: OpenIssue) -> Difficulty:
    """How hard an issue looks, labels before words."""
    labels = " ".join(issue.labels)
    if _EASY.search(labels):
        return "beginner"
    if _HARD.search(labels):
        return "advanced"
    weight = 2 * len(set(_HARD.findall(issue.title))) + len(_found(_HARD, issue.body))
    if _EASY.search(issue.title) and weight < 2:
        return "beginner"
    weight += 0.5 * len(_found(_MIDDLE, f"{issue.title} {issue.body}"))
    weight += (len(issue.body) > 1500) + (issue.comments > 8)
    if weight >= 3:
        return "advanced"
    return "intermediate" if weight >= 1 else "beginner"


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match.casefold() for match in pattern.findall(text)}


def _assess(issue: OpenIssue, given: IssuesGiven) -> AssessedIssue:
    difficulty = difficulty_of(issue)
    text = f"{issue.title} {issue.body} {' '.join(issue.labels)}"
    relevant = [skill for skill in given.skills if _touches(skill.area, text)]
    gaps = [topic for topic in given.gaps if _touches(topic, text)]
    reach = _reach(relevant or given.skills)
    above = _RANK[difficulty] - reach
    recent = next((title for title in given.recent if _alike(title, issue.title)), None)
    factors = IssuePriority(
        user_tagged=_tagged(issue, given.me),
        similar_to_recent_work=recent is not None,
        addresses_knowledge_gap=bool(gaps),
        team_urgency=_urgency(issue),
    )
    return AssessedIssue(
        number=issue.number,
        title=issue.title,
        summary=summary_of(issue),
        suitability="good_fit" if above <= 0 else "stretch" if above == 1 else "too_advanced",
        suitability_reason=_reason(difficulty, relevant, gaps, above),
        estimated_difficulty=difficulty,
        relevant_skills=[skill.area for skill in relevant],
        priority_score=_score(factors, above),
        priority_factors=factors,
        learning_opportunities=_opportunities(gaps, issue),
    )


def _reach(skills: Sequence[Skill]) -> int:
    """The difficulty somebody manages: of what the issue is about, else of everything."""
    known = [_REACH.get(skill.stage, 0) for skill in skills]
    return round(sum(known) / len(known)) if known else 0


def _touches(topic: str, text: str) -> bool:
    """Whether a text is about a topic: half of its telling words are there."""
    wanted = _words(topic)
    return bool(wanted) and len(wanted & _words(text)) * 2 >= len(wanted) + (len(wanted) > 2)


def _alike(one: str, other: str) -> bool:
    left, right = _words(one), _words(other)
    return bool(left and right) and len(left & right) * 3 >= min(len(left), len(right)) * 2


def _words(text: str) -> frozenset[str]:
    return frozenset(
        _stem(word)
        for word in (each.casefold() for each in _WORD.findall(text))
        if word not in _COMMON
    )


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _tagged(issue: OpenIssue, me: Iterable[str]) -> bool:
    names = {name.casefold() for name in me}
    if names & {name.casefold() for name in issue.assignees}:
        return True
    body = issue.body.casefold()
    return any(re.search(rf"@{re.escape(name)}(?![\w-])", body) for name in names)


def _urgency(issue: OpenIssue) -> Literal["low", "medium", "high"]:
    labels = f"{issue.title} {' '.join(issue.labels)}"
    if _URGENT.search(labels):
        return "high"
    return "medium" if _SOMEWHAT.search(labels) else "low"


def _score(factors: IssuePriority, above: int) -> float:
    score = 0.3 - 0.1 * max(0, above) + 0.05 * (above == 0)
    score += 0.3 * factors.user_tagged + 0.2 * factors.addresses_knowledge_gap
    score += 0.1 * factors.similar_to_recent_work
    score += {"low": 0.0, "medium": 0.03, "high": 0.06}[factors.team_urgency]
    return round(max(0.0, min(1.0, score)), 3)


def _reason(difficulty: Difficulty, skills: Sequence[Skill], gaps: list[str], above: int) -> str:
    where = f" in {skills[0].area}" if skills else ""
    words = {
        "beginner": "It looks small and clear",
        "intermediate": "It takes several steps",
        "advanced": "It looks large or delicate",
    }[difficulty]
    said = {True: f"within your reach{where}"}.get(above <= 0)
    if said is None:
        said = (
            f"a step above where you are{where}" if above == 1 else "well beyond your reach for now"
        )
    joint = "which is" if above <= 1 else "and that is"
    gap = f" It would also help with {gaps[0]}." if gaps else ""
    return f"{words}, {joint} {said}.{gap}"


def _opportunities(gaps: list[str], issue: OpenIssue) -> list[str]:
    themes = sorted(_found(_MIDDLE, f"{issue.title} {issue.body}"))
    return list(dict.fromkeys([*gaps, *(_THEMES[each] for each in themes if each in _THEMES)]))[:4]


_THEMES = {
    "api": "designing an API",
    "endpoint": "HTTP endpoints",
    "database": "working with a database",
    "sql": "writing SQL",
    "query": "writing queries",
    "cache": "caching",
    "async": "asynchronous code",
    "parser": "parsing",
    "valid": "checking input",
    "refactor": "changing code without changing what it does",
    "test": "writing tests",
    "state": "handling state",
    "auth": "signing in and rights",
    "pagination": "paging through results",
    "unicode": "text and encodings",
    "retry": "dealing with failures that pass",
    "timeout": "dealing with things that take too long",
}


def summary_of(issue: OpenIssue) -> str:
    """The issue in a sentence or two, without markup."""
    plain = _MARKS.sub(lambda match: match[1] or " ", _CODE.sub(" ", issue.body))
    plain = " ".join(plain.split())
    if not plain:
        return f"{issue.title.rstrip('.')}. There is no description, so begin by asking."
    words = ""
    for sentence in _SENTENCE.split(plain):
        if words and len(words) + len(sentence) > MOST_SUMMARY:
            break
        words = f"{words} {sentence}".strip()
    return words if len(words) <= MOST_SUMMARY else f"{words[:MOST_SUMMARY].rsplit(' ', 1)[0]} …"
