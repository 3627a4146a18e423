"""A memory with something in it, and what the Memory page shows of it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from paige.app.application import open_app
from paige.base.clock import system_clock
from paige.base.settings import Settings
from paige.memory.event import AgentRef, Draft, Provenance
from paige.memory.intake.admission import Writer
from paige.memory.lifecycle.outcomes import Outcome, outcome_draft
from paige.memory.lifecycle.policies import (
    Change,
    Key,
    Proposal,
    changed,
    default_policy,
    policy_draft,
)
from paige.memory.lifecycle.staged import Step
from paige.memory.lifecycle.thresholds import read_lifecycle
from paige.memory.memory import Memory
from tests.web.scenes import Scene

BEGIN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
QUESTION = "who owns the parser"
FOUND = "Anna owns the parser; ask her before touching the grammar"
TALK = (
    ("Anna", "The release is on Friday, whatever happens with the docs."),
    ("Ben", "Then the parser must be frozen on Wednesday."),
    ("Anna", "I wrote the parser in spring, and I would rather not rewrite it now."),
    ("Ben", "The nightly build failed twice because the cache was cold."),
)
NOTES = (
    "Tests that need a browser are marked, so that they can be left out on small machines",
    "Feedback on drafts works best as three points, the most important first",
    "Group work in the last lesson before lunch never gets finished; plan a quiet task",
    "The staging database is restored every Sunday; data from the weekend is lost",
    "Prefer small commits with one reason each",
)
DOCUMENT = """# 3B

- Reads aloud better in pairs than alone
- Fractions before percentages: the detour was worth it
- Wednesday is short: 35 minutes

## Open

- A second text for the fast readers
"""


def fill(home: Path) -> None:
    """Put memories, documents, outcomes and a policy into the memory of a home."""
    settings = Settings(cwd=home, environ={"HOME": str(home)})
    with open_app(settings, strict=False) as app:
        memory = app.memory.open()
        _remember(memory)
        _learn(memory)
        documents = memory.documents
        documents.write(app.actor, "MEMORY.md", "# Me\n\n- I teach English\n", base="")
        documents.write(app.actor, "classes/3B/MEMORY.md", DOCUMENT, base="")
        documents.write(app.actor, "classes/3B/texts.md", "# Texts\n", base="")
        memory.maintain("compact")


def _remember(memory: Memory) -> None:
    writer = Writer()
    coder = Writer(project="paige", agent=AgentRef("coder-1", "coder", "paige"), trace="tr-81f0")
    drafts = [
        Draft(
            text=words,
            type="turn",
            scope="project",
            project="paige",
            session="standup-12",
            payload={"speaker": speaker},
            at=BEGIN + timedelta(minutes=place),
        )
        for place, (speaker, words) in enumerate(TALK)
    ]
    drafts += [
        Draft(text=words, scope="global", at=BEGIN + timedelta(days=place))
        for place, words in enumerate(NOTES)
    ]
    memory.remember(drafts, writer)
    owner = Draft(
        text="Anna owns the parser",
        type="fact",
        scope="project",
        project="paige",
        session="standup-12",
        payload={"key": "parser owner"},
        evidence=("src/parser.py:12", "docs/owners.md"),
        provenance=Provenance("standup-12", "tr-81f0"),
        importance=0.8,
        at=BEGIN + timedelta(days=6),
    )
    [old] = memory.remember([owner], coder)
    assert old.id is not None
    new = memory.edit(old.id, FOUND, coder)
    recalled = Draft(
        type="recalled",
        scope="global",
        payload={"ids": [new.id], "query": "May I change the grammar?", "reader": "coder-1"},
        at=BEGIN + timedelta(days=7),
    )
    memory.remember([recalled], writer)


def _learn(memory: Memory) -> None:
    now = system_clock()
    outcomes = [
        Outcome(
            at=now - timedelta(days=1, minutes=place),
            success=place % 5 != 0 if place % 2 else place % 3 == 0,
            retries=0 if place % 2 else 2,
            corrections=0 if place % 2 else 1,
            tool_calls=6 if place % 2 else 9,
            recalled=("some",) if place % 2 else (),
            session=f"s{place}",
        )
        for place in range(40)
    ]
    memory.remember([outcome_draft(each, task="Fix a test") for each in outcomes], Writer())
    thresholds = read_lifecycle([]).policy
    base = default_policy(thresholds)
    change = Change("recency", 1)
    policy = changed(base, change, thresholds)
    assert policy is not None
    why = "tasks of coders that needed old memories ended worse"
    steps = [
        (Step("experiment", now - timedelta(hours=9), why), Proposal(policy, base, change)),
        (
            Step(
                "validate",
                now - timedelta(hours=4),
                "fewer retries in 60 tasks",
                {"tasks": 60, "success_rate": 0.71, "p_better": 0.04},
            ),
            None,
        ),
    ]
    drafts = [policy_draft(Key("coder", "project"), 1, *each) for each in steps]
    memory.remember(drafts, Writer(trusted=True))


def _arrived(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    expect(page.locator("[data-skeleton]")).to_have_count(0)


def _found(page: Page) -> None:
    expect(page.get_by_role("region", name="Memories")).to_contain_text(FOUND)
    _arrived(page)


def _opened(page: Page) -> None:
    _found(page)
    page.get_by_role("button", name=FOUND).click()
    expect(page.get_by_role("heading", name="Where it was used")).to_be_visible()


def _forgetting(page: Page) -> None:
    _opened(page)
    page.get_by_role("button", name="Forget…").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("an earlier version")


def _editing(page: Page) -> None:
    _opened(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_label("Better text")).to_be_focused()


def _shows(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_text(text).first).to_be_visible()
        _arrived(page)

    return arrive


SEARCH = f"/memory?query={QUESTION.replace(' ', '+')}"
MEMORY_SCENES = (
    Scene("memory", "/memory", _shows("the newest first")),
    Scene("memory-found", SEARCH, _found, kind="deep"),
    Scene(
        "memory-none",
        "/memory?query=zzz&scope=global",
        _shows("Take the filters away"),
        kind="deep",
    ),
    Scene("memory-open", SEARCH, _opened),
    Scene("memory-editing", SEARCH, _editing, kind="deep"),
    Scene("memory-forgetting", SEARCH, _forgetting),
    Scene("memory-documents", "/memory?tab=documents", _shows("Choose a document"), kind="deep"),
    Scene(
        "memory-document",
        "/memory?tab=documents&file=classes/3B/MEMORY.md",
        _shows("Written by"),
    ),
    Scene("memory-policies", "/memory?tab=policies", _shows("What was tried")),
)
