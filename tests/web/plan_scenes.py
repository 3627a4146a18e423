"""A desk with lessons, sessions that wait at every kind of question, and what the page shows."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2
from playwright.sync_api import Page, expect

from tests.live import Live
from tests.server.plan_window import Json, Teacher, open_gate, teacher_at, yes
from tests.web.scenes import Scene

KNOWN = "Loops that count for 3B"
REFLECTING = "Loops with a condition for 3B"
JUDGING = "Iteration with for loops for 3B"
UNDONE = "Selection with if for 3B"
ANEW = "Variables and types for 3B"
REMEMBERING = "Fixed loops with turtles for 3B"
REFUSED = "Book me a flight to Lisbon"
MARKED = "lessons/2026-03-02-3B-marked.md"
WRONG = "classes/4A.md"
CURRICULUM = "curriculum/cfe-computing.md"
JUDGE = "teacher-adjudication"


def prepare(live: Live) -> None:
    """Put files, lessons and sessions into the workspace of a server, over its own API."""
    with teacher_at(live) as teacher:
        write(teacher, WRONG, "---\nclass: 4A\nyear: S4\nsize: many\n---\n# 4A\n")
        write(teacher, MARKED, marked_lesson(teacher))
        lead_to(teacher, KNOWN, "feedforward")
        lead_to(teacher, REFLECTING, "reflection-prompt")
        lead_to(teacher, JUDGING, JUDGE)
        lead_to(teacher, UNDONE, JUDGE, wish("misconceptions", "alternatives"))
        lead_to(teacher, ANEW, JUDGE, wish("starter", "revise", "4 minutes"))
        lead_to(teacher, REMEMBERING, "memory-capture")
        refused = teacher.ask(REFUSED)
        teacher.until(refused["run"], "ended")


def lead_to(teacher: Teacher, prompt: str, hook: str, reply: Callable[[Json], Json] = yes) -> Json:
    """Answer yes to everything until a hook asks; with another reply, until it asks again."""
    run = teacher.ask(prompt)["run"]
    times = 1 if reply is yes else 2
    while True:
        gate = open_gate(teacher.until(run, "waiting"))
        times -= gate["hook"] == hook
        if times == 0:
            return gate
        given = reply if gate["hook"] == hook else yes
        assert teacher.answer(gate, given(gate["interaction"])).status_code == 200


def wish(section: str, option: str, text: str = "") -> Callable[[Json], Json]:
    """Accept all sections but one."""

    def reply(asked: Json) -> Json:
        picked: dict[str, Mapping[str, str]] = yes(asked)["picked"]
        return {"picked": {**picked, section: {"option": option, "text": text}}}

    return reply


def write(teacher: Teacher, path: str, text: str) -> None:
    """Make a file."""
    answer = teacher.http.put("/api/plan/file", params={"path": path}, json={"text": text})
    assert answer.status_code == 200, answer.text


def marked_lesson(teacher: Teacher) -> str:
    """A lesson whose pointers hold, are unverified, and do not hold."""
    found = teacher.http.get("/api/plan/file", params={"path": CURRICULUM}).json()
    rows = found["text"].split("\n")

    def claim(code: str, quote: str) -> str:
        line = next(at for at, row in enumerate(rows, 1) if f"**{code}**" in row)
        words = quote or " ".join(rows[line - 1].partition(") ")[2].split()[:6])
        return f'- [{code}]({CURRICULUM}#L{line}-L{line}) "{words}"'

    return "\n".join(
        [
            "# Loops, with marks",
            "",
            "- Class: 3B",
            "- Minutes: 50",
            "- Date: 2026-03-02",
            "",
            "## Learning outcome",
            "",
            "I can use a loop to do something several times.",
            "",
            "## Curriculum",
            "",
            claim("TCH 3-15a", ""),
            claim("TCH 1-13a", ""),
            claim("TCH 2-15a", "words that stand nowhere in this row"),
            "",
            "## Starter (8 min)",
            "",
            "### Questions",
            "",
            "1. What does `range(3)` give?",
            "   - [ ] 1, 2, 3",
            "   - [x] 0, 1, 2",
            "",
            "```python",
            "for turn in range(3):",
            '    print("A line of a program that is rather too long for a narrow page", turn)',
            "```",
            "",
            "| Word | Meaning |",
            "|---|---|",
            "| loop | lines that are done again |",
            "",
        ]
    )


def _drawn(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Plan")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    expect(page.locator("[data-skeleton]")).to_have_count(0)


def _shows(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_text(text).first).to_be_visible()
        _drawn(page)

    return arrive


def _session(prompt: str, heading: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        sessions = page.get_by_role("region", name="Sessions")
        expect(sessions.get_by_role("listitem").first).to_be_visible()
        more = sessions.get_by_role("button", name="Show more")
        if more.is_visible():
            more.click()
        sessions.get_by_role("button", name=prompt).click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        _drawn(page)

    return arrive


def _lesson(page: Page) -> None:
    expect(page.get_by_role("heading", name="Loops, with marks")).to_be_visible()
    _drawn(page)


def _lines(page: Page) -> None:
    _lesson(page)
    page.get_by_role("button", name="Show the curriculum line of TCH 1-13a").last.click()
    expect(page.get_by_role("complementary")).to_contain_text("Cited: - **TCH 1-13a**")


def _menu(page: Page) -> None:
    _lesson(page)
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("menuitem", name="Word")).to_be_visible()


def _workspace(page: Page) -> None:
    _drawn(page)
    expect(page.get_by_role("button", name="4A 1 problem")).to_be_visible()


SESSIONS = "/plan?pane=workspace"
PLAN_SCENES = (
    Scene("plan-desk", "/plan", _shows("Your classes")),
    Scene("plan-workspace", SESSIONS, _workspace, kind="deep"),
    Scene("plan-known", SESSIONS, _session(KNOWN, "What I know about 3B"), kind="deep"),
    Scene("plan-reflecting", SESSIONS, _session(REFLECTING, "Before you judge it")),
    Scene("plan-judging", SESSIONS, _session(JUDGING, "Judge the draft")),
    Scene("plan-undone", SESSIONS, _session(UNDONE, "Judge what was written anew"), kind="deep"),
    Scene("plan-anew", SESSIONS, _session(ANEW, "Judge what was written anew"), kind="deep"),
    Scene("plan-remembering", SESSIONS, _session(REMEMBERING, "Should I remember this?")),
    Scene("plan-refused", SESSIONS, _session(REFUSED, "Paige did not go on")),
    Scene("plan-lesson", f"/plan?lesson={MARKED}&pane=document", _lesson, kind="deep"),
    Scene("plan-lines", f"/plan?lesson={MARKED}&pane=document", _lines),
    Scene("plan-export", f"/plan?lesson={MARKED}&pane=document", _menu),
    Scene("plan-file", f"/plan?file={WRONG}&pane=document", _shows("in this file")),
)


def saved_lesson(live: Live, prompt: str = JUDGING) -> Any:
    """Have a lesson planned with yes to everything; return the run as it ended."""
    with teacher_at(live) as teacher:
        return teacher.finish(teacher.ask(prompt)["run"])


def read(live: Live, path: str) -> Any:
    """What the server says at an address of this door."""
    return httpx2.get(f"{live.url}/api/plan{path}").json()
