"""What the coach says in a terminal: explanations, reviews, katas, issues, reading."""

from collections.abc import Iterator, Sequence

from paige.coach.message_parts import KataSummary, RankedIssue, Recommendation
from paige.coach.messages import PracticeKataLoad
from paige.coach.model import Explanation, Review

_FITS = {
    "good_fit": "good fit",
    "stretch": "stretch",
    "too_advanced": "not yet",
    "unknown": "not judged",
}


def explanation_lines(found: Explanation) -> Iterator[str]:
    """An explanation, then what it is about."""
    yield found.explanation
    if found.analogy:
        yield f"\n{found.analogy}"
    if found.key_concepts:
        yield f"\nconcepts  {', '.join(found.key_concepts)}"
    if found.related_files:
        yield f"files     {', '.join(found.related_files)}"
    if found.phase_connection:
        yield f"phase     {found.phase_connection}"


def review_lines(found: Review) -> Iterator[str]:
    """A review: the verdict first."""
    yield f"{'passed' if found.passed else 'not yet'}, level {found.level} of 10"
    yield found.feedback
    if found.follow_up is not None:
        words = found.follow_up.constraint or found.follow_up.reason or ""
        yield f"next      {words}".rstrip()
    for each in found.unlocked_constraints:
        yield f"unlocked  {each.title}: {each.description}"


def katas_lines(found: Sequence[KataSummary]) -> Iterator[str]:
    """Katas, one a line."""
    for each in found:
        best = f", best level {each.best_level}" if each.best_level is not None else ""
        yield f"{each.id}  {each.title} ({each.topic}): {each.attempts_count} attempts{best}"


def kata_lines(loaded: PracticeKataLoad) -> Iterator[str]:
    """A kata as a learner may see it."""
    kata = loaded.kata
    yield f"{kata.title} ({kata.topic})"
    yield ""
    yield kata.description
    if kata.scaffolding_code:
        yield ""
        yield kata.scaffolding_code.rstrip("\n")
    if loaded.constraints:
        yield ""
    for each in loaded.constraints:
        yield f"constraint  {each.title}: {each.description}"


def issue_lines(found: Sequence[RankedIssue]) -> Iterator[str]:
    """Issues, each with why it stands where it does."""
    for each in found:
        yield f"#{each.number}  {_FITS[each.suitability]:10}  {each.title}"
        yield f"    {each.summary}"
        yield f"    {each.suitability_reason}"


def material_lines(found: Sequence[Recommendation]) -> Iterator[str]:
    """What to read, by gap."""
    for each in found:
        yield each.knowledge_gap
        for resource in each.resources:
            yield f"  {resource.title} ({resource.estimated_time})  {resource.url}"
        if each.study_order:
            yield f"  {each.study_order}"
        if each.practice_connection:
            yield f"  {each.practice_connection}"
