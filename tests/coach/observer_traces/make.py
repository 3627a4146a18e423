"""Writes the traces that the observer's rules were made with.

Run it with `python -m tests.coach.observer_traces.make`.

Each function tells one kind of situation; it is told several times with other projects, other
people, other speeds and other clients. What is right is known from the telling, not from the rules.
"""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.coach.observer_traces.scripted import STYLES, Case, Json, Tale, write

HERE = Path(__file__).parent
LOW = ("novice", "advanced_beginner", None)
ALL = ("novice", "advanced_beginner", "competent", "proficient", "expert", None)


@dataclass(frozen=True)
class Project:
    """A phase in some project, where it happens, and what lies around."""

    title: str
    description: str
    expected: tuple[str, ...]
    test: str
    others: tuple[str, ...]
    twin: str  # a file one may take for the right one

    def phase(self, number: int = 2, count: int | None = None) -> Json:
        """The phase as clients know it."""
        return {
            "number": number,
            "title": self.title,
            "description": self.description,
            "expected_files": list(self.expected[:count]),
        }


PROJECTS = (
    Project(
        "Find the OAuth callback",
        "Find and understand the OAuth callback handler, then reject a wrong state.",
        ("src/handlers/oauth.ts", "src/session/store.ts"),
        "src/handlers/oauth.test.ts",
        ("README.md", "src/styles/theme.css", "src/ui/Header.tsx", "docker-compose.yml"),
        "src/middleware/auth.ts",
    ),
    Project(
        "Count vouchers once",
        "Make the basket subtract a voucher only once when the page is loaded again.",
        ("shop/basket.py", "shop/vouchers.py"),
        "tests/test_basket.py",
        ("docs/index.md", "shop/mailer.py", "shop/templates/footer.html", "scripts/deploy.sh"),
        "shop/orders.py",
    ),
    Project(
        "Retry with a limit",
        "Let the fetcher give up after three attempts and report the last error.",
        ("internal/fetch/retry.go", "internal/fetch/client.go"),
        "internal/fetch/retry_test.go",
        ("cmd/server/main.go", "internal/log/format.go", "Makefile", "docs/install.md"),
        "internal/queue/worker.go",
    ),
    Project(
        "Parse dates with a zone",
        "Accept ISO dates with a zone in the importer and keep the zone.",
        ("src/importer/dates.rs",),
        "src/importer/dates_test.rs",
        ("src/export/csv.rs", "README.md", "benches/speed.rs", "src/cli/help.rs"),
        "src/importer/numbers.rs",
    ),
    Project(
        "Show the error to people",
        "When saving fails, show the reason below the form instead of swallowing it.",
        ("app/forms/ProfileForm.jsx", "app/api/profile.js"),
        "app/forms/ProfileForm.test.jsx",
        ("app/theme/colors.js", "public/index.html", "app/pages/About.jsx", "docs/style.md"),
        "app/forms/SignupForm.jsx",
    ),
    Project(
        "Page through results",
        "Return twenty results a page and a cursor for the next one.",
        ("src/main/java/shop/SearchController.java", "src/main/java/shop/SearchService.java"),
        "src/test/java/shop/SearchControllerTest.java",
        ("src/main/java/shop/Mailer.java", "src/main/resources/banner.txt", "docs/api.md"),
        "src/main/java/shop/CatalogController.java",
    ),
)


def tale(rng: random.Random, project: Project, stages: tuple[str | None, ...] = ALL) -> Tale:
    """The beginning of every tale: a session, a phase, one look at the plan."""
    told = Tale(project.phase(), rng, rng.choice(stages), rng.choice(STYLES))
    told.act("session_started", issueNumber=rng.randint(1, 400)).wait(20, 60)
    told.act("phase_started", phaseId="p2", phaseNumber=2, title=project.title).wait(5, 30)
    return told


# ---- someone should be spoken to ----


def wrong_file_at_once(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Opens the twin and works there."""
    told = tale(rng, project).open(project.twin).select(project.twin)
    return told.type(project.twin, rng.randint(6, 10)).save(project.twin), rng.uniform(1, 40)


def wrong_file_after_reading(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Reads the right file, then changes another."""
    told = tale(rng, project).open(project.expected[0]).select(project.expected[0])
    told.wait(20, 50).open(project.twin).type(project.twin, rng.randint(7, 12), 6, 18)
    return told, rng.uniform(1, 25)


def wrong_file_in_summaries(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Types for minutes; the client tells only summaries and saves."""
    told = tale(rng, project).open(project.twin)
    for _ in range(rng.randint(3, 5)):
        told.summary(project.twin, rng.randint(4, 12), rng.randint(20, 160))
    return told.save(project.twin), rng.uniform(1, 20)


def wrong_file_of_a_novice(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Little work in a wrong file: enough for a novice."""
    told = tale(rng, project, ("novice", None)).open(project.twin)
    return told.type(project.twin, 3, 10, 20).save(project.twin), rng.uniform(1, 10)


def drift_over_files(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Began where it should, then tidies up elsewhere."""
    told = tale(rng, project).open(project.expected[0]).type(project.expected[0], 3)
    told.save(project.expected[0]).wait(10, 30)
    for path in rng.sample(project.others, 3):
        told.open(path).type(path, rng.randint(3, 5)).save(path).wait(5, 20)
    return told, rng.uniform(1, 20)


def drift_from_the_start(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Never touches what the phase is about."""
    told = tale(rng, project)
    for path in rng.sample(project.others, rng.choice((2, 3))):
        told.open(path).type(path, rng.randint(4, 7)).save(path).wait(5, 15)
    return told, rng.uniform(1, 20)


def drift_without_expected_files(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """The phase names no files, but what is changed has nothing to do with its words."""
    told = tale(rng, project, LOW)
    told.phase = {**project.phase(), "expected_files": []}
    for path in project.others[:3]:
        told.open(path).type(path, rng.randint(3, 5)).save(path).wait(5, 15)
    return told, rng.uniform(1, 20)


def idle_while_reading(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Looks at the right file and stops."""
    told = tale(rng, project, LOW).open(project.expected[0])
    for _ in range(rng.randint(1, 3)):
        told.select(project.expected[0])
    return told, rng.uniform(330, 900)


def idle_after_failing(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Something fails, and nothing more happens."""
    told = tale(rng, project).open(project.expected[0]).type(project.expected[0], 5)
    told.save(project.expected[0]).test(4, 2)
    if rng.random() < 0.5:
        told.wait(100, 130).act("idle_start", lastActionTimestamp=0)
    return told, rng.uniform(620, 1100)


def idle_from_the_start(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """The phase began, and nobody knows where to look."""
    return tale(rng, project, LOW), rng.uniform(340, 800)


def idle_without_a_phase(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """There is no plan yet."""
    told = Tale(None, rng, "novice").act("session_started", issueNumber=4).wait(20, 50)
    return told.open(project.expected[0]).select(project.expected[0]), rng.uniform(340, 800)


def complete_in_one_go(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Everything expected is written, saved and green."""
    told = tale(rng, project)
    for path in project.expected:
        told.open(path).type(path, rng.randint(4, 8)).save(path).wait(5, 30)
    return told.test(rng.randint(3, 40), 0), rng.uniform(4, 60)


def complete_from_red_to_green(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Test first, then the code, then green."""
    told = tale(rng, project).open(project.test).type(project.test, 4).save(project.test)
    told.test(3, 1)
    for path in project.expected:
        told.open(path).type(path, rng.randint(3, 6)).save(path)
    told.test(3, 1).open(project.expected[0]).type(project.expected[0], 2)
    return told.save(project.expected[0]).test(4, 0), rng.uniform(4, 60)


def complete_and_looking_around(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Green, and now reads something else without moving on."""
    told, _ = complete_in_one_go(rng, project)
    told.wait(20, 60).open(project.others[0]).select(project.others[0])
    return told, rng.uniform(10, 60)


def loop_between_two_texts(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Tries this, takes it back, tries that, takes it back."""
    path = project.expected[0]
    told = tale(rng, project)
    told.style = rng.choice(("content", "count", "delta"))
    first = "def f(a):\n    return a\n" * rng.randint(2, 6)
    told.open(path).put(path, first).wait(10, 20)
    for number in range(rng.randint(3, 5)):
        told.put(path, first + f"    if a is None:\n        return {number}\n").wait(15, 40)
        if rng.random() < 0.5:
            told.save(path)
        told.put(path, first).wait(12, 30)
    return told, rng.uniform(1, 20)


def loop_with_failing_tests(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Changes the same lines over and over; the same tests fail."""
    path = project.expected[0]
    told = tale(rng, project, LOW).open(path)
    told.style = "bare"
    for _ in range(rng.randint(4, 6)):
        told.type(path, rng.randint(1, 3), 8, 20).save(path).test(7, 2).wait(5, 20)
    return told, rng.uniform(1, 20)


def loop_of_large_changes(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Pastes a block, throws it away, pastes another of the same size."""
    path = project.expected[0]
    told = tale(rng, project).open(path)
    small, large = 800, 800 + rng.randint(520, 900)
    for _ in range(rng.randint(3, 4)):
        for before, after in ((small, large), (large, small)):
            data = {"previousCharCount": before, "newCharCount": after, "delta": after - before}
            told.act("buffer_significant_change", path, **data).wait(25, 50)
    return told, rng.uniform(1, 20)


# ---- someone should be left alone ----


def working_well(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Reads, writes, saves where it should."""
    told = tale(rng, project)
    for path in project.expected:
        told.open(path).select(path).type(path, rng.randint(4, 9)).save(path)
    return told, rng.uniform(1, 60)


def tests_come_first(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Works in the test of what is expected."""
    told = tale(rng, project).open(project.test).type(project.test, rng.randint(6, 12))
    return told.save(project.test).test(5, 1), rng.uniform(1, 60)


def failing_less_and_less(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Every change helps a bit."""
    path = project.expected[0]
    told = tale(rng, project).open(path)
    for failed in (5, 3, 2, 1):
        told.type(path, 2, 8, 20).save(path).test(10 - failed, failed)
    return told, rng.uniform(1, 40)


def only_reading(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Looks around in many files, changes none."""
    told = tale(rng, project)
    for path in (*project.others[:3], project.twin, project.expected[0]):
        told.open(path).select(path)
    return told, rng.uniform(5, 100)


def a_quick_fix_elsewhere(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Corrects a word in another file and goes back."""
    told = tale(rng, project).open(project.expected[0]).type(project.expected[0], 5)
    told.open(project.twin).type(project.twin, 2).save(project.twin)
    return told.open(project.expected[0]).type(project.expected[0], 3), rng.uniform(1, 40)


def just_began_elsewhere(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """One or two changes in another file: too early to say anything."""
    told = tale(rng, project).open(project.expected[0]).type(project.expected[0], 4)
    return told.open(project.twin).type(project.twin, rng.randint(1, 2)), rng.uniform(1, 10)


def noticed_it(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Was in the wrong file and has opened the right one."""
    told = tale(rng, project).open(project.twin).type(project.twin, 7).save(project.twin)
    return told.open(project.expected[0]).select(project.expected[0]), rng.uniform(1, 60)


def in_flow(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """A dozen actions a minute, some of them in other files: not now."""
    told = tale(rng, project).open(project.twin).type(project.twin, 5)
    for number in range(rng.randint(12, 15)):
        path = (project.twin, *project.others)[number % 3]
        told.act(rng.choice(("file_save", "file_open", "selection")), path).wait(1, 3.4)
    return told, 1


def just_spoken_to(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """The observer spoke a minute ago."""
    told, _ = wrong_file_at_once(rng, project)
    told.act("nudge_sent", signal="wrong_file", confidence=0.82).wait(20, 50)
    return told.type(project.twin, 3), rng.uniform(1, 20)


def muted(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """The person does not want to hear anything."""
    told = tale(rng, project).act("observer_muted", muted=True).wait(5, 20)
    return told.open(project.twin).type(project.twin, 8), rng.uniform(1, 20)


def thinking(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Quiet, but not for long."""
    told = tale(rng, project).open(project.expected[0]).select(project.expected[0])
    return told, rng.uniform(90, 270)


def green_but_not_all(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """The tests pass, but a file that is expected was never touched (or nothing was saved)."""
    told = tale(rng, project).open(project.expected[0]).type(project.expected[0], 6)
    if len(project.expected) > 1:
        told.save(project.expected[0])
    return told.test(12, 0), rng.uniform(4, 40)


def green_and_changed_since(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """It was green, and work goes on."""
    told, _ = complete_in_one_go(rng, project)
    return told.open(project.expected[0]).type(project.expected[0], 4), rng.uniform(1, 30)


def all_saved_but_red(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Everything is written, and a test fails."""
    told = tale(rng, project)
    for path in project.expected:
        told.open(path).type(path, 5).save(path)
    return told.test(8, 1), rng.uniform(4, 60)


def next_phase_begun(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """What was green belongs to the phase before."""
    told, _ = complete_in_one_go(rng, project)
    told.act("phase_completed", phaseId="p2", phaseNumber=2, title="x").wait(1, 2)
    told.act("phase_started", phaseId="p3", phaseNumber=3, title="Next").wait(5, 20)
    told.phase = {**project.phase(3), "title": "Next", "description": "Write it down."}
    return told.open(project.expected[0]), rng.uniform(2, 40)


def rewriting(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Deletes much and writes more: that is progress."""
    path = project.expected[0]
    told = tale(rng, project).open(path).type(path, 6)
    told.style = rng.choice(("content", "count", "delta"))
    told.put(path, told.texts[path][:40]).wait(10, 20).type(path, 9)
    return told.save(path), rng.uniform(1, 40)


def one_step_back(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Takes one attempt back by undoing it, and writes something else."""
    path = project.expected[0]
    told = tale(rng, project).open(path).type(path, 2)
    told.style = "content"
    steps = [told.texts[path]]
    for _ in range(4):
        told.type(path, 1)
        steps.append(told.texts[path])
    for text in reversed(steps[:-1]):
        told.put(path, text).wait(0.3, 1)
    return told.type(path, 4).save(path), rng.uniform(1, 40)


def adding_a_dependency(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Names a library it needs, in passing."""
    told = tale(rng, project).open(project.expected[0]).type(project.expected[0], 4)
    told.open("package.json").type("package.json", 2).save("package.json")
    return told, rng.uniform(1, 20)


def experienced_and_quiet(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Someone experienced thinks a little longer."""
    told = tale(rng, project, ("proficient", "expert")).open(project.expected[0])
    return told.select(project.expected[0]), rng.uniform(305, 330)


def experienced_elsewhere(rng: random.Random, project: Project) -> tuple[Tale, float]:
    """Someone experienced makes a small change elsewhere."""
    told = tale(rng, project, ("competent", "proficient", "expert")).open(project.twin)
    return told.type(project.twin, 3, 6, 12).save(project.twin), rng.uniform(1, 10)


KINDS = {
    "wrong_file": (
        wrong_file_at_once,
        wrong_file_after_reading,
        wrong_file_in_summaries,
        wrong_file_of_a_novice,
    ),
    "scope_drift": (drift_over_files, drift_from_the_start, drift_without_expected_files),
    "idle": (idle_while_reading, idle_after_failing, idle_from_the_start, idle_without_a_phase),
    "phase_complete": (
        complete_in_one_go,
        complete_from_red_to_green,
        complete_and_looking_around,
    ),
    "edit_loop": (loop_between_two_texts, loop_with_failing_tests, loop_of_large_changes),
    "no_nudge": (
        working_well,
        tests_come_first,
        failing_less_and_less,
        only_reading,
        a_quick_fix_elsewhere,
        just_began_elsewhere,
        noticed_it,
        in_flow,
        just_spoken_to,
        muted,
        thinking,
        green_but_not_all,
        green_and_changed_since,
        all_saved_but_red,
        next_phase_begun,
        rewriting,
        one_step_back,
        adding_a_dependency,
        experienced_and_quiet,
        experienced_elsewhere,
    ),
}


def cases(seed: int = 7, times: int = 5) -> list[Case]:
    """Every kind of situation, told several times."""
    found: list[Case] = []
    for signal, kinds in KINDS.items():
        for kind in kinds:
            for number in range(times if signal != "no_nudge" else 3):
                rng = random.Random(f"{seed}/{kind.__name__}/{number}")
                project = PROJECTS[(number + len(found)) % len(PROJECTS)]
                told, seconds = kind(rng, project)
                name = f"{kind.__name__}-{number + 1}"
                found.append(Case(name, signal, told.asked(seconds)))
    return found


if __name__ == "__main__":
    sys.stdout.write(f"{write(cases(), HERE)} traces\n")
