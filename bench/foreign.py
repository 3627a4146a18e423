"""Text that nobody here wrote, through every function that reads such text.

    python -m bench.foreign [--files 2000] [--seed 1]

The files are those of the installed packages and of the web app's modules, and texts of a megabyte
made to hurt. Each text goes through each path of the table; what takes longer than two seconds of
the processor is ended and named. A refusal (`PaigeError`) is an answer.
"""

import argparse
import base64
import heapq
import io
import random
import signal
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from paige.agent.library.definitions import read_agent, read_plugin_file, read_skill_file
from paige.base.errors import PaigeError
from paige.base.paths import shipped
from paige.base.secrets import redact
from paige.coach.files.project import unified_diff
from paige.coach.files.scan import read_rules
from paige.coach.inquiry.constraint_checks import check_constraint
from paige.coach.inquiry.explanation import LARGEST, PassageInputs, explain_code
from paige.coach.inquiry.issue_ranking import summary_of
from paige.coach.inquiry.plan_steps import steps_of
from paige.coach.inquiry.review_rules import WorkInputs, review_by_rules
from paige.coach.issues import OpenIssue
from paige.coach.observer.rules import judge_moment
from paige.coach.observer.runner_output import read_runs
from paige.coach.observer.trace import read_trace
from paige.exercise.code_exercise import parse_header
from paige.exercise.disclosure.case import Turn
from paige.exercise.disclosure.gate import Request, judge
from paige.exercise.exchange.csv_files import read_cards
from paige.exercise.exchange.html_text import from_html
from paige.exercise.exchange.values import Card, ask, blank_numbers, tidy
from paige.exercise.marking.marker import mark
from paige.exercise.response import read_response
from paige.exercise.worksheet.parse import parse_worksheet
from paige.guard.completion.claims import Words, find_claim, read_words
from paige.guard.episodes import program_of
from paige.guard.graph.corrections import Before, correction_in, shipped_words
from paige.guard.graph.shapes import shape_of
from paige.guard.guards.trials import shipped_book
from paige.guard.rules.loader import EXAMPLE_PLACE
from paige.guard.rules.powershell import judge_powershell
from paige.guard.shell.judge import Judge
from paige.guard.state.counts import FORMS, counted
from paige.language.front_matter import read_front_matter
from paige.language.names.gate import find_names
from paige.memory.documents.three_way_merge import Side, merge
from paige.memory.embedding import split_words
from paige.memory.imports.jsonl import read_jsonl
from paige.memory.imports.markdown import read_note, split_blocks
from paige.memory.intake.admission import strip_recalled
from paige.memory.lifecycle.episodes import task_shape
from paige.memory.lifecycle.questions import normalise_question
from paige.memory.lifecycle.summaries import details_of
from paige.memory.retrieval.indexed_text import indexed_text
from paige.memory.retrieval.question import read_question
from paige.orchestra.compaction import compact
from paige.orchestra.running.goal import split_goal
from paige.plan.class_fit import find_topics, reading_of
from paige.plan.class_names import recognise
from paige.plan.classes import read_class
from paige.plan.curriculum.case import plain
from paige.plan.curriculum.document_text import extract
from paige.plan.curriculum.outcome_file import read_curriculum
from paige.plan.lessons.parser import parse
from paige.plan.pointers import place_pointers
from paige.study.courses.teaching_file import read_teaching

ROOT = Path(__file__).resolve().parents[1]
KINDS = (".py", ".ts", ".rs", ".go", ".md", ".js")
LIMIT = 2.0
LARGE = 2**20
_WORDS = ["".join(random.Random(at).choices("abcdefgh", k=7)) for at in range(5000)]


# fmt: off
SEEDS = (
    "a", "A", "0", "(", " ", "\n", "\t", '"', "'", "`", "-", "_", "*", "#", ".", "[", "<", "|",
    "a ", "a\n", "a.", "a-", "a/", "a: ", "# ", "- ", "> ", "| ", "```\n", "<!--", "/*", "{{c1::",
    "def f(x):\n", "    f(\n", "$(", "${", "1,", "Ann ", "x=", "<a ", "[](", "(a/", "1. ", "and ",
    "<![CDATA[>", "<![if>", "<![^a]>",
)
HEADED = (
    ("# a", " "), ("## a", " "), ("<!-- status: a", " "), ("1/", "0"), ("1e", "9"), ("9", "9"),
    ("Tests: 0, Assertions: ", "0"), ("Exit code ", "1"),
)
# fmt: on


class Took(NamedTuple):
    """How long a path took with a text."""

    seconds: float
    path: str
    text: str
    said: str = ""


def main() -> None:
    """Print the slowest, and end with 1 when one took too long."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--files", type=int, default=2000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--only", default="")
    words.add_argument("--size", type=int, default=LARGE)
    given = words.parse_args()
    texts = [*attacks(given.size), *sampled(given.files, given.seed)]
    chosen = {name: path for name, path in PATHS.items() if given.only in name}
    slowest = heapq.nlargest(40, run(texts, chosen))
    for took in slowest:
        print(f"{took.seconds:8.3f} s  {took.path:24} {took.text} {took.said}")
    raise SystemExit(slowest[0].seconds > LIMIT)


def run(
    texts: Iterable[tuple[str, str]], paths: dict[str, Callable[[str], object]]
) -> Iterator[Took]:
    """Every text through every path; what takes too long is ended."""

    def ended(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, ended)
    try:
        for name, text in texts:
            for path, read in paths.items():
                yield _took(path, read, name, text)
    finally:
        signal.signal(signal.SIGPROF, before)


def _took(path: str, read: Callable[[str], object], name: str, text: str) -> Took:
    said = ""
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, LIMIT + 0.5)
    try:
        read(text)
    except PaigeError:
        pass
    except TimeoutError:
        said = "was ended"
    except Exception as error:  # noqa: BLE001 - whatever it was, it is named
        said = f"broke: {type(error).__name__}: {str(error)[:80]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Took(time.process_time() - start, path, name, said)


def sampled(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Files that strangers wrote, by seed; of a larger one the first megabyte."""
    folders = (ROOT / ".venv/lib", ROOT / "web/node_modules")
    found = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in KINDS and path.is_file()
    )
    for path in random.Random(seed).sample(found, min(count, len(found))):
        yield str(path.relative_to(ROOT)), path.read_text("utf-8", "replace")[:LARGE]


def attacks(size: int = LARGE) -> Iterator[tuple[str, str]]:
    """One megabyte each, in one line where that is possible."""
    for seed in SEEDS:
        yield f"1 MB of {seed!r}", seed * (size // len(seed))
        yield f"1 MB of {seed!r} and an end", seed * (size // len(seed)) + "\x01x"
    for head, seed in HEADED:
        yield f"{head!r}, 1 MB of {seed!r} and an end", head + seed * (size // len(seed)) + "\x01x"
    half = size // 9
    yield "blanks in blanks and an end", "{{c1::a" * half + "}}" * half
    chance = random.Random(1)
    items = (f"{at}. {' '.join(chance.choices(_WORDS, k=12))} ____\n" for at in range(size // 100))
    yield "a worksheet of like words and an end", "".join(items)
    noise = random.Random(1).randbytes(size * 3 // 4)
    yield "1 MB of base64", base64.b64encode(noise).decode()
    yield "1 MB of minified code", "function(a,b){return a?b.c(d):e};" * (size // 33)


def _explained(language: str) -> Callable[[str], object]:
    return lambda text: explain_code(
        PassageInputs(text=text, path=f"a.{language}", language=language)
    )


def _judged(text: str) -> object:
    return Judge(EXAMPLE_PLACE, dict(shipped_book())).judge(text)


def _claim_words() -> Words:
    return read_words(tomllib.loads(shipped("guard/completion.toml").read_text("utf-8"))["claims"])


def _disclosed(text: str) -> object:
    asked = Request(
        exercise="What is 3 + 4?",
        answer="7",
        dialogue=(Turn("learner", text),),
        reply=text,
        level=1,
    )
    return judge(asked)


def _reversed(text: str) -> str:
    return "\n".join(reversed(text.split("\n")))


def _observed(text: str) -> object:
    told = {"content": text, "text": text}
    acts = [{"type": kind, "path": text[:500], "data": told} for kind in ("file_save", "user_idle")]
    return judge_moment(
        read_trace({"phase": {"title": text, "description": text}, "actions": acts})
    )


PATHS: dict[str, Callable[[str], object]] = {
    "front matter": lambda text: read_front_matter(f"---\n{text}\n---\n", "a.md"),
    "secrets": redact,
    **{
        f"explain {each}": _explained(each)
        for each in ("python", "typescript", "sql", "html", "shell")
    },
    "plan steps": steps_of,
    "observer": _observed,
    "constraint": lambda text: check_constraint(text[:LARGEST], "No loops", "Use `sum`."),
    "review": lambda text: review_by_rules(WorkInputs(code=text[:LARGEST])),
    "issue": lambda text: summary_of(OpenIssue(1, text, text)),
    "ignored files": lambda text: read_rules(text.encode()),
    "difference": lambda text: unified_diff("a.py", _reversed(text), text),
    "agent": lambda text: read_agent(text, "a.md"),
    "skill": lambda text: read_skill_file(f"---\nname: a\n---\n{text}", Path("a")),
    "plugin": lambda text: read_plugin_file(text, Path("a")),
    "test output": read_runs,
    "counts": lambda text: [counted(form, text) for form in FORMS],
    "claims": lambda text: find_claim(text, _claim_words()),
    "shell": _judged,
    "powershell": lambda text: judge_powershell(text, dict(shipped_book()), EXAMPLE_PLACE),
    "shape": lambda text: shape_of(text, command=True),
    "program": program_of,
    "corrections": lambda text: correction_in(text, Before(), shipped_words()),
    "code exercise": parse_header,
    "worksheet": parse_worksheet,
    "response": read_response,
    "cards as csv": lambda text: read_cards(text.encode()),
    "card as html": from_html,
    "card with blanks": lambda text: tidy(Card("a", text, "", kind="cloze")),
    "blanks": lambda text: [ask(text, number) for number in blank_numbers(text)],
    "marking": lambda text: mark("Why does it rain?", "because warm air rises and cools", text),
    "marking a list": lambda text: mark("Name two metals.", ["iron, copper"], text),
    "marking by a text": lambda text: mark("What is it?", text, "iron"),
    "disclosure": _disclosed,
    "names": find_names,
    "recalled text": lambda text: strip_recalled(f"<paige-memory>{text}"),
    "note": lambda text: read_note(text, "a.md"),
    "blocks": lambda text: list(split_blocks(text)),
    "memories as lines": lambda text: list(read_jsonl(io.BytesIO(text.encode()), "a.jsonl")),
    "document": lambda text: merge(None, Side(text, "a"), Side(_reversed(text), "b")),
    "index": indexed_text,
    "vectors": split_words,
    "question": lambda text: read_question(text, ()),
    "question key": normalise_question,
    "task": task_shape,
    "details": details_of,
    "compaction": lambda text: compact("coder", text),
    "goal": split_goal,
    "class": lambda text: read_class(text, "classes/a.md"),
    "curriculum": lambda text: read_curriculum(text, "curriculum/a.md"),
    "curriculum text": lambda text: extract("a.txt", text.encode()),
    "curriculum page": lambda text: extract("a.html", text.encode()),
    "curriculum as pdf": lambda text: extract("a.pdf", b"%PDF-1.4\n" + text.encode()),
    "package text": plain,
    "pointers": place_pointers,
    "lesson": parse,
    "readability": reading_of,
    "recognition": lambda text: recognise(text, ()),
    "sensitive topics": find_topics,
    "teaching page": lambda text: read_teaching("teaching/a.md", text, "a"),
}

if __name__ == "__main__":
    main()
