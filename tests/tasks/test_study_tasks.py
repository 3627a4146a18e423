"""Ten things that a learner who is new to Paige tries, from outside and with wrong turns."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fakes.coding_models import CODEX, DONE, Step
from tests.fakes.served_model import served_model
from tests.live import live_paige
from tests.mcp.clients import native, run_client
from tests.study.answering import fill_in
from tests.tasks.people import House, Person, task
from tests.web.browser import Problems, is_wider_than_the_window

MALAY, MEMORY = "bahasa-melayu", "how-memory-works"
TABLE = b"front,back\r\nbread,roti\r\nwater,air\r\nrice,nasi\r\n"
PROVIDER = """\
model = "gpt-5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
supports_websockets = false
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A learner's home; Paige runs in it."""
    home = tmp_path_factory.mktemp("learner")
    with live_paige(home) as live:
        yield House(home, live)


def teaching(person: Person) -> Path:
    """Where courses and answers lie."""
    return person.home / ".claude" / "teaching"


@pytest.mark.browser
@task(
    "Learn Malay words on the train, on my phone",
    way="browser",
    proof="lesson, question and worksheet at 375 pixels, nothing wider than the screen",
)
def test_learn_malay_words_on_the_train_on_my_phone(
    me: Person, house: House, browser: Browser
) -> None:
    problems = Problems()
    with browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True) as phone:
        page = phone.new_page()
        problems.watch(page)
        me.visits(page, f"{house.url}/study")
        me.clicks(page.get_by_role("button", name=re.compile(r"^Start .*Bahasa Melayu")))
        expect(page.get_by_role("heading", name="Worked example")).to_be_visible()
        assert not is_wider_than_the_window(page)
        me.clicks(page.get_by_role("button", name="Got it"))
        expect(page.get_by_text("Your guest leaves your house")).to_be_visible()
        me.writes(page.get_by_role("textbox", name="Your answer"), "Selamat jalan!")
        me.clicks(page.get_by_role("button", name="Answer", exact=True))
        expect(page.get_by_role("heading", name="That is right")).to_be_visible()
        me.clicks(page.get_by_role("button", name="Now practise it"))
        expect(page.get_by_role("button", name="Fill in here")).to_be_visible()
        assert not is_wider_than_the_window(page)
        me.clicks(page.get_by_role("link", name="Pause"))
        expect(page.get_by_role("main")).to_contain_text("Go on")
    assert problems.unexpected() == []


@task(
    "Import my Anki deck",
    way="terminal",
    proof="the cards are there; a wrong file, a missing file and the same deck twice are told",
)
def test_import_my_anki_deck(newcomer: Person) -> None:
    newcomer.paige("study", "export", "anki", MALAY, "-o", "deck.apkg")
    newcomer.writes_file("deck.txt", "roti bread")
    assert "Export a deck from Anki" in newcomer.paige(
        "study", "import", "anki", "deck.txt", code=2
    )
    assert "`dek.apkg`" in newcomer.paige("study", "import", "anki", "dek.apkg", code=1)
    made = newcomer.paige("study", "import", "anki", "deck.apkg", "--as", "my-words")
    count = re.search(r"(\d+) added, 0 there already", made)
    assert count is not None
    assert int(count[1]) > 200
    again = newcomer.paige("study", "import", "anki", "deck.apkg", "--as", "my-words")
    assert f"0 added, {count[1]} there already" in again
    assert "my-words" in newcomer.paige("study", "courses")


@task(
    "Grade a folder of worksheets",
    way="terminal",
    proof="a line for each sheet says how many are right; one sheet alone says what was expected",
)
def test_grade_a_folder_of_worksheets(newcomer: Person) -> None:
    made = newcomer.paige("plan", "create-lesson", "fixed loops for 3B", "--yes")
    lesson = made.rpartition("/workspace/")[2].split()[0]
    sheets = newcomer.place / "answers"
    sheets.mkdir()
    for name in ("full", "half"):
        out = ("--to", "worksheet", "-o", f"answers/{name}.md")
        newcomer.paige("plan", "export", lesson, *out)
    fill_in(sheets / "full.md")
    half = (sheets / "half.md").read_text(encoding="utf-8").replace("___", "no idea", 1)
    newcomer.writes_file("answers/half.md", half)

    assert "There is nothing at `answer`" in newcomer.paige("study", "grade", "answer", code=1)
    full, some = newcomer.paige("study", "grade", "answers").splitlines()
    right = re.match(r"full.md: (\d+) of (\d+) right", full)
    assert right is not None
    assert right[1] == right[2]
    assert some.startswith(f"half.md: 0 of {right[2]} right")
    assert "Expected:" in newcomer.paige("study", "grade", "answers/half.md")


@pytest.mark.browser
@task(
    "Why was I asked this?",
    way="browser",
    proof="one click beside the exercise says why it came in this form",
)
def test_why_was_i_asked_this(me: Person, house: House, page: Page) -> None:
    me.visits(page, f"{house.url}/study")
    me.clicks(page.get_by_role("button", name=re.compile(r"^Start .*How memory works")))
    me.clicks(page.get_by_role("button", name="Got it"))
    me.writes(page.get_by_role("textbox", name="Your answer"), "I do not know")
    me.clicks(page.get_by_role("button", name="Answer", exact=True))
    me.clicks(page.get_by_role("button", name=re.compile("practise|Go on")))
    me.clicks(page.get_by_text("Why this?"))
    expect(page.get_by_role("main")).to_contain_text(re.compile("suits|The course wants"))


@task(
    "Get a smaller hint, not the answer",
    way="terminal",
    proof="too few minutes are told; no hint before a try, then a nudge, then a finer one",
)
def test_get_a_smaller_hint_not_the_answer(newcomer: Person) -> None:
    short = newcomer.paige("study", "start", "--course", MALAY, "--minutes", "5")
    assert "5 minutes are too short for something new; take 10." in short
    study = ("study", "start", "--course", MALAY, "--minutes", "15", "--seed", "3")
    with newcomer.terminal(*study) as keys:
        keys.sees("New: Greetings", "Enter goes on")
        keys.answers("")
        keys.sees("A question about it", "> ")
        keys.answers("/hint")
        keys.sees("Try it first")
        keys.answers("no idea")
        keys.sees("Enter when it is done")
        keys.answers("/instead conversation")
        keys.sees("How do you say “goodbye (to the one who stays)” in Malay?")
        keys.answers("no idea")
        keys.sees("Not yet", "ask for the next hint (a nudge)")
        begun = len(keys.shown)
        keys.answers("/hint")
        keys.sees("It is 2 words and begins with “s”")
        assert "tinggal" not in keys.shown[begun:]
        keys.answers("selamat tinggal")
        keys.sees("Correct")
        keys.answers("/stop")
        assert keys.ends() == 0


@pytest.mark.browser
@task(
    "See what I am about to forget",
    way="browser",
    proof="a month later one thing is due, in the terminal and in the browser alike",
)
def test_see_what_i_am_about_to_forget(newcomer: Person, page: Page) -> None:
    assert "`paige study courses`" in newcomer.paige("study", "due")
    month = datetime.now(UTC) - timedelta(days=30)  # noqa: TID251 - commands have no other clock
    at = ("--at", month.isoformat(), "--json")
    newcomer.paige("study", "start", "--course", MALAY, "--minutes", "12", *at)
    newcomer.paige("study", "next", "--done", *at)
    step = json.loads(newcomer.paige("study", "next", "--answer", "selamat jalan", *at))
    fill_in(teaching(newcomer) / step["exercise"]["file"])
    newcomer.paige("study", "next", "--done", *at)

    assert "Greetings" in newcomer.paige("study", "due")
    with live_paige(newcomer.home) as live:
        newcomer.visits(page, f"{live.url}/study")
        expect(page.get_by_role("main")).to_contain_text("1 thing is due")
        newcomer.visits(page, f"{live.url}/study/{MALAY}/progress")
        expect(page.get_by_role("region", name="Reviews to come")).to_be_visible()


@task(
    "Let my chat program quiz me",
    way="MCP client",
    proof="it gets questions without answers; a wrong course and a late answer are told",
)
def test_let_my_chat_program_quiz_me(me: Person, house: House) -> None:
    chat = me.agent(house.url)
    assert MALAY in chat.fails("study_next", course="malay", learner="mei")
    step = chat.call(
        "study_next", course=MALAY, kind="quiz", concepts=["greetings"], learner="mei", minutes=10
    )
    assert step["item"]["reason"] == "You asked for a quiz"
    mine = {"course": MALAY, "learner": "mei"}
    step = chat.call("study_submit", step=step["step"], instead="conversation", **mine)
    asked = step["exercise"]["asking"] or step["exercise"]["questions"][0]
    assert "answer" not in json.dumps(asked).lower().replace("answered", "")
    step = chat.call("study_submit", step=step["step"], answer="no idea", **mine)
    assert step["says"]
    late = chat.fails("study_submit", step=step["step"] - 1, answer="again", **mine)
    assert "step" in late
    assert chat.call("study_progress", **mine)["courses"]


@pytest.mark.clients
@task(
    "Study with Codex while my tests run",
    way="coding CLI",
    proof="after one `paige install codex` the real Codex shows the lesson and hands in my answer",
)
def test_study_with_codex_while_my_tests_run(me: Person, house: House) -> None:
    course = {"course": MALAY, "learner": "ravi"}
    script = (
        Step("study_next", {**course, "minutes": 12}),
        Step("study_submit", {**course, "step": 1, "done": True}),
    )
    me.variables["PORT"] = str(house.live.port)
    with served_model() as model:
        model.answers_with(lambda request: CODEX.reply(request, script))
        me.home = me.place  # a home of its own, as the settings of Codex are the person's
        me.writes_file(".codex/config.toml", PROVIDER.format(url=model.url))
        assert "Paige is installed for Codex CLI" in me.paige("install", "codex")
        program = native("@openai/codex-*/vendor/*/bin/codex")
        command = [*program, "exec", "--json", "--skip-git-repo-check", "Let us study."]
        me.count()
        done = run_client(command, me.place, FAKE_KEY="dummy")
        lesson, question = CODEX.results(model.requests[-1])

    assert done.returncode == 0, done.stderr
    assert DONE in done.stdout
    assert "Selamat pagi" in lesson
    assert "Your guest leaves your house" in question


@pytest.mark.browser
@task(
    "Make a course of my table of words",
    way="browser",
    proof="a file that is no deck is told so, then three cards become a course one can open",
)
def test_make_a_course_of_my_table_of_words(
    me: Person, house: House, page: Page, problems: Problems
) -> None:
    problems.expect("400", "import")
    me.visits(page, f"{house.url}/study/courses")
    for name, data in (("words.apkg", b"no deck at all"), ("words.csv", TABLE)):
        chosen = me.place / name
        chosen.write_bytes(data)
        page.locator("input[type=file]").set_input_files(chosen)
        me.count()
        me.clicks(page.get_by_role("button", name="Import"))
        if name.endswith("apkg"):
            expect(page.get_by_role("alert")).to_contain_text("Anki")
    expect(page.get_by_text("3 items added.")).to_be_visible()
    me.clicks(page.get_by_role("link", name="Look at the course"))
    expect(page.get_by_role("group", name="Concepts by what they need")).to_be_visible()


@task(
    "Write my own course, and find my mistake in it",
    way="terminal",
    proof="the mistake is named with file and line, and gone once it is mended",
)
def test_write_my_own_course_and_find_my_mistake_in_it(newcomer: Person) -> None:
    assert "courses/tides" in newcomer.paige("study", "new", "tides")
    assert "There is a course `tides` already" in newcomer.paige("study", "new", "tides", code=1)
    items = teaching(newcomer) / "courses" / "tides" / "items" / "seasons.jsonl"
    good = items.read_text(encoding="utf-8")
    first, *rest = good.splitlines(keepends=True)
    newcomer.count()
    items.write_text(first.replace('"prompt"', '"promt"') + "".join(rest), encoding="utf-8")

    told = newcomer.paige("study", "courses", "tides")
    assert "courses/tides/items/seasons.jsonl:1:" in told
    assert "prompt" in told
    newcomer.count()
    items.write_text(good, encoding="utf-8")
    assert "seasons.jsonl" not in newcomer.paige("study", "courses", "tides")
