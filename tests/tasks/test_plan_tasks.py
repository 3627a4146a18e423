"""Ten things that a teacher who is new to Paige tries, from outside and with wrong turns."""

import re
import zipfile
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.fakes.model_server import Json
from tests.fakes.served_model import served_model
from tests.live import live_paige
from tests.tasks.people import House, Keys, Person, task
from tests.web.test_plan_page import decide, question

OUTCOMES = """\
Code,Outcome
TCH 3-90a,"I can plan a program on paper, before I type it."
TCH 3-91a,I can explain my program to somebody younger.
TCH 3-92a,I can find a mistake that somebody else made.
"""
MADE_UP = """\
# Loops from a colleague

## Curriculum

- [TCH 3-15a](curriculum/cfe-computing.md#L1-L1) "Pupils will master every loop in one lesson."
"""
WRONG_KEY = {"type": "error", "error": {"type": "authentication_error", "message": "invalid key"}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A teacher's home; Paige runs in it."""
    home = tmp_path_factory.mktemp("teacher")
    with live_paige(home) as live:
        yield House(home, live)


def saved(shown: str) -> str:
    """The lesson that a command has saved, by its name in the workspace."""
    found = re.search(r"Saved as \S*/workspace/(?P<path>lessons/\S+\.md)", shown)
    assert found is not None, shown[-500:]
    return found["path"]


def accept_everything(keys: Keys) -> None:
    """From what is known about the class to a saved lesson, with yes to everything."""
    keys.sees("What I know about 3B", "24 pupils", "Answer with a number")
    keys.answers("1")
    keys.sees("Before you judge it")
    keys.answers("", "", "", "")
    keys.sees("Judge the draft", "every one that is left")
    keys.answers("1*")


@task(
    "Plan a lesson on loops for 3B and get it as Word",
    way="terminal",
    proof="a .docx that holds the title and the class; `--to word` is answered with the right word",
)
def test_plan_a_lesson_on_loops_for_3b_and_get_it_as_word(newcomer: Person) -> None:
    with newcomer.terminal("plan", "create-lesson", "fixed loops for 3B") as keys:
        keys.sees("No key for a model is set, so local rules answer")
        accept_everything(keys)
        keys.sees("Should I remember this?", "every one that is left")
        keys.answers("3*")
        assert keys.ends() == 0
        lesson = saved(keys.shown)

    assert "'docx'" in newcomer.paige("plan", "export", lesson, "--to", "word", code=2)
    newcomer.paige("plan", "export", lesson, "--to", "docx")

    [document] = newcomer.place.glob("*.docx")
    with zipfile.ZipFile(document) as package:
        text = package.read("word/document.xml").decode()
    assert "Fixed loops" in text
    assert "3B" in text


@pytest.mark.browser
@task(
    "Fix the one section I do not like",
    way="browser",
    proof="without a model it is said what to do; my own words stand in the saved starter",
)
def test_fix_the_one_section_i_do_not_like(me: Person, house: House, page: Page) -> None:
    me.visits(page, f"{house.url}/plan")
    me.writes(page.get_by_label("Your request"), "Iteration with for loops for 3B")
    me.clicks(page.get_by_role("button", name="Send"))
    known = question(page, "What I know about 3B")
    me.clicks(known.get_by_role("button", name="Go on with this"))
    me.clicks(question(page, "Before you judge it").get_by_role("button", name="Go on"))
    judging = question(page, "Judge the draft")
    decide(judging, "Starter", "Revise")
    me.count()
    me.writes(judging.get_by_label("What should change in Starter?"), "make it shorter")
    me.clicks(judging.get_by_role("button", name="Accept the other"))
    me.clicks(judging.get_by_role("button", name="Go on"))

    again = question(page, "Judge what was written anew")
    expect(again.get_by_role("group", name=re.compile("^Your decision"))).to_have_count(1)
    expect(again).to_contain_text("Without a model Paige does not rewrite a section")
    decide(again, "Starter", "Write it yourself")
    me.count()
    me.writes(again.get_by_label("Your own text of Starter"), "Trace one loop on paper, alone.")
    me.clicks(again.get_by_role("button", name="Go on"))
    expect(page.get_by_role("heading", name="Saved in your workspace")).to_be_visible()
    me.clicks(page.get_by_role("button", name="Open it"))
    lesson = page.get_by_role("article", name="Fixed loops")
    expect(lesson).to_contain_text("Trace one loop on paper, alone.")


@task(
    "Import our curriculum from a CSV",
    way="terminal",
    proof="outcomes are found by word and code; a wrong file and the same file twice are told",
)
def test_import_our_curriculum_from_a_csv(newcomer: Person) -> None:
    bring = ("plan", "curriculum", "import")
    newcomer.writes_file("outcomes.xlsx", "PK")
    said = newcomer.paige(*bring, "outcomes.xlsx", code=2)
    assert ".csv" in said
    newcomer.writes_file("outcomes.csv", OUTCOMES)
    made = newcomer.paige(*bring, "outcomes.csv", "--subject", "Computing Science")
    assert "curriculum/outcomes.md" in made
    assert "3 outcomes" in made
    assert "is there already" in newcomer.paige(*bring, "outcomes.csv", code=1)

    found = newcomer.paige("plan", "curriculum", "list", "--find", "mistake")
    assert "TCH 3-92a" in found
    shown = newcomer.paige("plan", "curriculum", "list", "--code", "tch 3-90a")
    assert "I can plan a program on paper, before I type it." in shown
    assert "unverified" in shown


@pytest.mark.browser
@task(
    "See what a lesson was based on",
    way="browser",
    proof="the line of the curriculum that the lesson cites opens beside it",
)
def test_see_what_a_lesson_was_based_on(me: Person, house: House, page: Page) -> None:
    lesson = saved(me.paige("plan", "create-lesson", "variables for 3B", "--class", "3B", "--yes"))
    me.visits(page, f"{house.url}/plan?lesson={lesson}")
    article = page.get_by_role("article")
    pointer = article.get_by_role("button", name=re.compile("^Show the curriculum line"))
    me.clicks(pointer.last)

    beside = page.get_by_role("complementary")
    expect(beside).to_contain_text("Cited: - **TCH 3-")
    me.clicks(beside.get_by_role("button", name="Open the whole file"))
    expect(page.get_by_role("textbox", name=re.compile("^Text of curriculum"))).to_be_visible()


@task(
    "Undo what it remembered about my class",
    way="terminal",
    proof="the note is in the file of the class, then it is not, and no lesson knows it any more",
)
def test_undo_what_it_remembered_about_my_class(newcomer: Person) -> None:
    note = "Five-minute starters work better."
    with newcomer.terminal("plan", "update-memory", f"3B: {note}", "--class", "3B") as keys:
        keys.sees("Should I remember this?", "Nothing is kept without your yes", "is left")
        keys.answers("1*")
        assert keys.ends() == 0
    assert "classes/3B/MEMORY.md" in newcomer.paige("memory", "files", "--class", "3B")
    asked = newcomer.paige("plan", "create-lesson", "loops", "--class", "3B", code=4)
    assert note in asked

    kept = newcomer.home / ".paige" / "workspace" / "memory" / "classes" / "3B" / "MEMORY.md"
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    newcomer.count()
    kept.write_text("".join(line for line in lines if "starters" not in line), encoding="utf-8")

    assert note not in newcomer.paige("memory", "files", "classes/3B/MEMORY.md")
    assert note not in newcomer.paige("plan", "create-lesson", "loops", "--class", "3B", code=4)


@task(
    "I mistyped the class",
    way="terminal",
    proof="Paige says that there is no such class, lists those there are, and goes on with 3B",
)
def test_i_mistyped_the_class(newcomer: Person) -> None:
    with newcomer.terminal("plan", "create-lesson", "fixed loops", "--class", "3X") as keys:
        keys.sees("There is no profile of `3X`", "1B (S1 Technologies)", "5  3B", "Answer with")
        keys.answers("9")
        keys.sees("`9` is none of 1 to 5")
        keys.answers("5")
        keys.sees("What I know about 3B", "Answer with", "\n> ")
        assert keys.leaves() != 0
    assert "fixed loops" in newcomer.paige("plan", "sessions")


@task(
    "My key is wrong",
    way="terminal",
    proof="the lesson comes all the same, and it is said who wrote it and that the key is refused",
)
def test_my_key_is_wrong(newcomer: Person) -> None:
    with served_model() as model:
        model.answers_with(lambda request: Json(WRONG_KEY, 401))
        newcomer.variables.update(model.variables)
        shown = newcomer.paige("plan", "create-lesson", "loops for 3B", "--yes")
        checked = newcomer.paige("doctor")

    assert "does not accept the API key" in shown
    assert "Composed without a model" in shown
    assert "sk-ant" not in shown + checked
    assert saved(shown)


@pytest.mark.browser
@task(
    "Go on in the browser with a lesson I began in the terminal",
    way="browser",
    proof="the bell names what waits, and one click leads to the open question",
)
def test_go_on_in_the_browser_with_a_lesson_i_began_in_the_terminal(
    me: Person, house: House, page: Page
) -> None:
    me.paige("plan", "create-lesson", "Selection with if", "--class", "3B", code=4)
    me.visits(page, house.url)
    me.clicks(page.get_by_role("button", name=re.compile("^Waiting for you")))
    me.clicks(page.get_by_role("link", name=re.compile("Selection with if")))
    known = question(page, "What I know about 3B")
    me.clicks(known.get_by_role("button", name="Go on with this"))
    expect(page.get_by_role("heading", name="Before you judge it")).to_be_visible()


@task(
    "Tell it from my chat program what works with 3B",
    way="MCP client",
    proof="a sentence with a pupil's name is refused with the reason, one without is found again",
)
def test_tell_it_from_my_chat_program_what_works_with_3b(me: Person, house: House) -> None:
    chat = me.agent(house.url)
    assert {"memory_add", "memory_search"} <= chat.tools()
    refused = chat.fails("memory_add", text="Oliver Smith is afraid of loops", scope="class")
    assert "name" in refused.lower()
    fact = {"text": "3B like trace tables before machines", "scope": "class", "key": "3b.tables"}
    assert chat.call("memory_add", **fact)["status"] == "stored"
    assert chat.call("memory_add", **fact)["status"] == "duplicate"

    found = chat.call("memory_search", query="what do 3B like", scope="class")
    assert "trace tables" in found["results"][0]["text"]


@task(
    "Check a lesson that a colleague sent me",
    way="terminal",
    proof="the made-up claim is named with its reason, and the exit code is 1",
)
def test_check_a_lesson_that_a_colleague_sent_me(newcomer: Person) -> None:
    newcomer.writes_file("colleague.md", MADE_UP)
    said = newcomer.paige("plan", "check-evidence", "colleage.md", code=1)
    assert "There is no lesson `colleage.md`" in said
    checked = newcomer.paige("plan", "check-evidence", "colleague.md", code=1)
    assert "Lines 1-1 hold no outcome" in checked
    assert "TCH 3-15a stands in lines 115-115" in checked
