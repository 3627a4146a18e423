"""Files for written answers: the template, and what someone wrote into it.

The answer stands below a marker line and a rule. People edit the marker, delete the rule, or write
above the line; the answer is found all the same, and a remark says where it was.
"""

import re
from dataclasses import dataclass, replace

from paige.exercise.ids import exercise_id
from paige.exercise.result import Attempt, Result
from paige.exercise.rubric import RubricScore
from paige.exercise.values import (
    Bloom,
    ExerciseError,
    ResponseTask,
    Score,
    find_bloom,
)
from paige.exercise.worksheet.lines import split_comments, straighten
from paige.exercise.worksheet.values import SheetProblem
from paige.language.words import plain, word_count

MOST_SIGNS = 200_000
"""Of a longer file the beginning is read."""
MARKER = "**Your response** (write below this line):"
_MARKER = re.compile(
    r"^\W*+(?:(?:your|my|the)\s*+)?(?:response|answer|essay)\b[\s*_]*+(?:\([^)]*+\)?[\s*_]*+)?(?::|$)\s*+",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"write (?:it )?below|below this line|your (?:response|answer)", re.IGNORECASE)
_RULE = re.compile(r"^\s*+(?:(?:[-*_=]\s*+){3,}+|[\u2013\u2014]++\s*+)$")
_POINT = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*+])\s+(.*)$")
_TITLE = re.compile(
    r"^\s*+#{1,6}+\s*+(?:Question\s*+:\s*+)?((?:\S++|\s++(?!$))*+)\s*+$", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"^\W*(?:todo|tbd|n/?a|"
    r"(?:write |type )?(?:your|my) (?:response|answer|text)(?: goes)?(?: here)?)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenResponse:
    """A response file as it came back."""

    course: str
    concept: str
    generated: str
    bloom_level: Bloom
    title: str
    question: str
    text: str
    line: int
    problems: tuple[SheetProblem, ...] = ()

    @property
    def words(self) -> int:
        """How many words were written."""
        return word_count(self.text)

    @property
    def empty(self) -> bool:
        """Whether nothing was written, or only what the template says."""
        return self.words == 0 or bool(_PLACEHOLDER.match(self.text))


def render_response(task: ResponseTask) -> str:
    """The template someone writes their answer into."""
    points = [f"{number}. {point}" for number, point in enumerate(task.points, 1)]
    return "\n".join(
        [
            "<!-- RESPONSE -->",
            f"<!-- course: {task.course} -->",
            f"<!-- concept: {task.concept_id} -->",
            f"<!-- bloom_level: {task.bloom_level} -->",
            f"<!-- generated: {task.generated} -->",
            "",
            f"# Question: {task.title}",
            "",
            task.question,
            "",
            *([*points, ""] if points else []),
            MARKER,
            "",
            "---",
            "",
            "",
            "",
        ]
    )


def looks_like_response(text: str) -> bool:
    """Whether a file is a response file, by its marker comment or its marker line."""
    plain = straighten(text)
    return "<!-- RESPONSE -->" in plain or any(_MARKER.match(line) for line in plain.split("\n"))


def read_response(text: str, task: ResponseTask | None = None) -> WrittenResponse:
    """What someone wrote. `task` helps where the template was edited; it never fails."""
    lines, comments = split_comments(straighten(text[:MOST_SIGNS]))
    plain = [line.text for line in lines]
    fields = dict(field for comment in reversed(comments) if (field := comment.field))
    title_at = next((at for at, line in enumerate(plain) if line.lstrip().startswith("#")), -1)
    found = _find(plain, title_at, task)
    title = _TITLE.match(plain[title_at]) if title_at >= 0 else None
    return WrittenResponse(
        course=fields.get("course", task.course if task else ""),
        concept=fields.get("concept", task.concept_id if task else ""),
        generated=fields.get("generated", task.generated if task else ""),
        bloom_level=find_bloom(fields.get("bloom_level", ""))
        or (task.bloom_level if task else "analyze"),
        title=title[1] if title else (task.title if task else ""),
        question=task.question if task else found.question,
        text=found.text,
        line=found.line,
        problems=found.problems,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    text: str
    line: int
    question: str
    problems: tuple[SheetProblem, ...] = ()


def _find(lines: list[str], title_at: int, task: ResponseTask | None) -> _Found:
    marker = _marker_at(lines, title_at + 1)
    if marker is not None:
        question = "\n".join(lines[title_at + 1 : marker]).strip()
        same_line = _MARKER.sub("", lines[marker], count=1).strip(" *_")
        same_line = "" if _LOOSE.search(same_line) else same_line
        start = _after_rule(lines, marker + 1)
        below = "\n".join([same_line, *lines[start:]]).strip()
        if word_count(below):
            return _Found(below, _first(lines, start) if not same_line else marker + 1, question)
        return _above(lines, title_at, marker, task)
    rule = next((at for at in range(title_at + 1, len(lines)) if _RULE.match(lines[at])), None)
    if rule is not None and word_count("\n".join(lines[rule + 1 :])):
        question = "\n".join(lines[title_at + 1 : rule]).strip()
        return _Found("\n".join(lines[rule + 1 :]).strip(), _first(lines, rule + 1), question)
    return _above(lines, title_at, rule if rule is not None else len(lines), task)


def _marker_at(lines: list[str], start: int) -> int | None:
    for at in range(start, len(lines)):
        if _MARKER.match(lines[at]):
            return at
    loose = [at for at in range(start, len(lines)) if _LOOSE.search(lines[at])]
    return next((at for at in loose if len(lines[at]) < 80), None)


def _after_rule(lines: list[str], start: int) -> int:
    """The line after the rule that follows the marker, if it is still there."""
    for at in range(start, len(lines)):
        if _RULE.match(lines[at]):
            return at + 1
        if lines[at].strip():
            break
    return start


def _above(lines: list[str], title_at: int, end: int, task: ResponseTask | None) -> _Found:
    """An answer written above the line: what the template did not say."""
    inside = range(title_at + 1, end)
    kept = [at for at in inside if lines[at].strip()]
    if task is not None:
        known = [_plain(line) for line in (*task.question.split("\n"), *task.points)]
        own = [at for at in kept if not _is_known(_plain(lines[at]), known)]
    else:
        own = _after_points(lines, kept)
    theirs = set(own)
    question = "\n".join(lines[at] for at in inside if at not in theirs).strip()
    if not own:
        return _Found("", end + 1, question)
    text = "\n".join(lines[own[0] : own[-1] + 1]).strip()
    problem = SheetProblem(
        own[0] + 1,
        "the answer stands above the line it should stand below",
        f"Move it below `{MARKER}`, so that it is not taken for the question.",
    )
    return _Found(text, own[0] + 1, question, (problem,))


def _after_points(lines: list[str], kept: list[int]) -> list[int]:
    """Lines after the list of points; without a list, after the first paragraph."""
    points = [at for at in kept if _POINT.match(lines[at])]
    end = _paragraph_end(lines, points[-1] if points else kept[0] if kept else 0)
    if points:
        return [at for at in kept if at > points[-1] and not lines[at - 1].strip()] and [
            at for at in kept if at > end
        ]
    return [at for at in kept if at > end]


def _paragraph_end(lines: list[str], at: int) -> int:
    while at + 1 < len(lines) and lines[at + 1].strip():
        at += 1
    return at


def _plain(line: str) -> str:
    found = _POINT.match(line)
    return plain(found[1] if found else line)


def _is_known(line: str, known: list[str]) -> bool:
    return not line or any(line == each or (len(line) > 12 and line in each) for each in known)


def _first(lines: list[str], start: int) -> int:
    return next((at + 1 for at in range(start, len(lines)) if lines[at].strip()), start + 1)


UNJUDGED = (
    "Nobody here can judge a text without a model: compare it with what the question asks for."
)


def response_result(
    written: WrittenResponse,
    score: RubricScore | None,
    attempt: Attempt | None = None,
    *,
    source: str = "local",
) -> Result:
    """The result of a written answer; one that is empty or that nobody judged uses no attempt."""
    attempt = attempt or Attempt()
    made = exercise_id(written.generated, written.concept, "long_form")
    concept, judged = written.concept or "unknown", None if written.empty else score
    begun = replace(
        attempt.begin(made, concept, "long_form", written.course, written.bloom_level),
        message=_message(written, judged),
        source=source,
        remarks=tuple(str(problem) for problem in written.problems),
    )
    if judged is None:
        return replace(begun, score=Score(0.0, 4, 0.0))
    weighted = round(judged.weighted, 2)
    return replace(
        begun,
        gradable=True,
        score=Score(weighted, 4, round(weighted / 4, 6)),
        fsrs_rating=attempt.rated(judged.rating),
        errors=_weak(judged),
        strengths=_strong(judged),
        improvements=_improve(judged),
        details_extra=_details(judged),
    )


def _weak(score: RubricScore) -> tuple[ExerciseError, ...]:
    pairs = zip(score.dimensions, score.feedback, strict=True)
    return tuple(
        ExerciseError(each.name, None, None, None, said) for each, said in pairs if each.score < 2.5
    )


def _strong(score: RubricScore) -> tuple[str, ...]:
    pairs = zip(score.dimensions, score.feedback, strict=True)
    return tuple(said for each, said in pairs if each.score >= 3.0)


def _improve(score: RubricScore) -> tuple[str, ...]:
    lowest = min(score.dimensions, key=lambda each: each.score)
    return (f"Next time, look at {lowest.name.lower()} first",) if lowest.score < 3.5 else ()


def _message(written: WrittenResponse, score: RubricScore | None) -> str:
    if written.empty:
        return "Nothing was written yet, so there is nothing to judge."
    if score is None:
        return UNJUDGED
    return f"{score.weighted:.1f} of 4 for {written.words} words."


def _details(score: RubricScore) -> dict[str, object]:
    return {
        "rubric": [
            {
                "name": each.name,
                "weight": each.weight,
                "score": each.score,
                "level": each.level,
                "why": each.reason,
            }
            for each in score.dimensions
        ]
    }
