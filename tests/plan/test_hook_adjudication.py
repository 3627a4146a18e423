"""`teacher-adjudication`: all is judged, only what is meant changes, and it is saved once."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.interactions import Choices, PickedOption, Reply, Sections, automatic_reply, picked
from paige.agent.queries import read_session, spans_of
from paige.models.errors import ProviderFailed
from paige.models.local import LOCAL, LocalProvider, Registry
from paige.models.messages import assistant_message
from paige.models.requests import Answer, Request
from paige.models.scripted import Scripted
from paige.plan import judgements as judging
from paige.plan.lessons.sections import sections
from paige.plan.products import Product, file_stem, folder_of, free_path, save_once, slug_of
from paige.plan.services import SECTION, SectionTexts, SectionWish
from paige.store.documents import DirectoryDocuments
from tests.conftest import NOON
from tests.plan.planning import CURRICULUM, judge, lesson_text, planning, write_files, yes

ONLY = ("teacher-adjudication",)
PATH = "lessons/2026-03-02-3B-counting-loops.md"
SHORT = """\
## Starter (3 min)

On show-me boards.

### Questions

1. What does a variable hold?
   - Answer: A value
"""
TWO = """\
<alternative>
On paper, alone.

### Questions

1. Name a type.
   - Answer: string
</alternative>
<alternative>
## Starter (5 min)

In pairs, aloud.

### Questions

1. Say what `=` does.
   - Answer: It stores a value
</alternative>
"""


def others(markdown: str, *but: str) -> dict[str, str]:
    """The text of every section but some."""
    return {each.id: each.text for each in sections(markdown) if each.id not in but}


# --- the flow -------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_an_accepted_draft_is_saved_word_for_word(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()
        asked = state.gates[0].interaction
        state = await plan.finish(state)

    assert isinstance(asked, Sections)
    assert [section.id for section in asked.sections] == [s.id for s in sections(lesson_text())]
    assert [option.id for option in asked.options] == ["accept", "revise", "alternatives", "edit"]
    assert state.run.output == lesson_text()
    assert plan.saved() == {PATH: lesson_text()}


@pytest.mark.anyio
async def test_a_draft_says_its_class_when_the_request_does_not(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start("shorter, please", class_id=None)
        state = await plan.finish(state)

    assert list(plan.saved()) == [PATH]


@pytest.mark.anyio
async def test_every_decision_is_in_the_trace_with_section_time_and_words(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=ONLY) as plan:
        state = await plan.start()
        wish = judge(starter=("revise", "shorter, please"))
        state = await plan.finish(state, teacher_adjudication=wish)
        span = plan.spans(state)["teacher-adjudication"]
        outcome = plan.outcome(state)

    about = [each for each in span["decisions"] if each["section"] == "starter"]
    assert [(each["decision"], each["text"], each["question"]) for each in about] == [
        ("revise", "shorter, please", 1),
        ("accept", "", 2),
    ]
    assert all(each["at"] == "2026-03-02T12:00:00.000000Z" for each in span["decisions"])
    assert len(span["decisions"]) == len(sections(lesson_text())) + 1
    assert (span["path"], span["auto"]) == (PATH, False)
    assert outcome.path == PATH
    assert outcome.sections[7] == "Starter (3 min)"
    assert [row["valid"] for row in outcome.evidence] == [True]


@pytest.mark.anyio
async def test_a_revision_rewrites_only_its_section_and_is_judged_again(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(
            state, judge(starter=("revise", "three minutes"))(state.gates[0].interaction)
        )
        again = state.gates[0].interaction
        state = await plan.finish(state)
        asked = plan.model.requests[1]

    assert isinstance(again, Sections)
    assert [section.id for section in again.sections] == ["starter"]
    assert "What does a variable hold?" in again.sections[0].text
    assert again.text == ""  # nothing to notice: a cycle took the minutes that the starter gave up
    assert asked.purpose == SECTION
    assert "three minutes" in asked.system
    assert "flowcharts before code" in asked.messages[0].text
    (saved,) = plan.saved().values()
    assert others(saved, "starter") == others(lesson_text(), "starter")
    assert "## Starter (3 min)" in saved
    assert state.run.output == saved


@pytest.mark.anyio
async def test_a_teachers_own_text_stands_as_it_is_and_nobody_is_asked(tmp_path: Path) -> None:
    own = "## Starter (3 min)\n\nAlone, on paper.\n\n### Questions\n\n1. Why?\n   - Answer: so"
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.finish(state, teacher_adjudication=judge(starter=("edit", own)))
        span = plan.spans(state)["teacher-adjudication"]
        asked = len(plan.model.requests)

    saved = plan.saved()[PATH]
    assert asked == 1
    assert own in saved
    assert others(saved, "starter") == others(lesson_text(), "starter")
    [decided] = [each for each in span["decisions"] if each["section"] == "starter"]
    assert decided["decision"] == "edit"


@pytest.mark.anyio
async def test_a_teachers_own_text_may_not_be_two_sections(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()
        two = judge(starter=("edit", "Alone.\n\n## Another\n\nText"))
        state = await plan.answer(state, two(state.gates[0].interaction))
        again = state.gates[0].interaction
        state = await plan.finish(state)

    assert isinstance(again, Sections)
    assert [section.id for section in again.sections] == ["starter"]
    assert "holds another section" in again.sections[0].text
    assert plan.saved() == {PATH: lesson_text()}


@pytest.mark.anyio
async def test_alternatives_come_side_by_side_and_the_chosen_one_counts(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), TWO], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, judge(starter="alternatives")(state.gates[0].interaction))
        choice = state.gates[0].interaction
        state = await plan.answer(state, picked("2"))
        span = plan.spans(state)["teacher-adjudication"]

    assert isinstance(choice, Choices)
    assert [option.id for option in choice.options] == ["1", "2", "keep", "revise"]
    for words in (
        "### As it is: Starter (5 min)\n\nOn mini whiteboards.",
        "### Alternative 1\n\nOn paper, alone.",
        "### Alternative 2: Starter (5 min)\n\nIn pairs, aloud.",
    ):
        assert words in choice.text
    (saved,) = plan.saved().values()
    assert "In pairs, aloud." in saved
    assert saved.count("## Starter (5 min)") == 1
    assert others(saved, "starter") == others(lesson_text(), "starter")
    about = [each["decision"] for each in span["decisions"] if each["section"] == "starter"]
    assert about == ["alternatives", "choose"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("pick", "script", "words"),
    [
        (picked("keep"), (), "On mini whiteboards."),
        (picked("revise", "on boards"), (SHORT,), "On show-me boards."),
    ],
)
async def test_none_of_the_alternatives_is_an_answer_too(
    tmp_path: Path, pick: Reply, script: tuple[str, ...], words: str
) -> None:
    with planning(tmp_path, [lesson_text(), TWO, *script], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, judge(starter="alternatives")(state.gates[0].interaction))
        state = await plan.finish(await plan.answer(state, pick))

    assert state.run.status == "success"
    assert words in next(iter(plan.saved().values()))


@pytest.mark.anyio
async def test_several_sections_go_their_own_ways_at_once(tmp_path: Path) -> None:
    script = [lesson_text(), SHORT, "- Another note.", TWO.replace("Starter (5", "Exit check (5")]
    wishes = judge(
        starter=("revise", "three minutes"), notes=("revise", "other"), exit_check="alternatives"
    )

    def model(request: Request) -> str:
        if request.purpose != SECTION:
            return script[0]
        assert isinstance(request.inputs, SectionWish)
        wanted = {"starter": 1, "notes": 2, "exit-check": 3}
        return script[wanted[request.inputs.section]]

    with planning(tmp_path, Scripted(model), hooks=ONLY) as plan:
        state = await plan.finish(await plan.start(), teacher_adjudication=wishes)

    (saved,) = plan.saved().values()
    changed = ("starter", "notes", "exit-check")
    assert others(saved, *changed) == others(lesson_text(), *changed)
    assert "- Another note." in saved
    assert "On paper, alone." in saved
    assert state.run.status == "success"


@pytest.mark.anyio
async def test_a_new_text_that_breaks_a_rule_is_not_used_and_the_teacher_hears_why(
    tmp_path: Path,
) -> None:
    bad = '- [TCH 3-99z](curriculum/cfe-computing.md#L9-L9) "Choose tools to design"'
    with planning(tmp_path, [lesson_text(), bad, bad], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(
            state, judge(curriculum=("revise", "cite more"))(state.gates[0].interaction)
        )
        again = state.gates[0].interaction
        retry = plan.model.requests[2].messages[0].text
        state = await plan.finish(state)

    assert isinstance(again, Sections)
    assert again.sections[0].text.startswith("[Not accepted yet: Line")
    assert "TCH 3-99z" in again.sections[0].text
    assert "Your last text was not used" in retry
    assert plan.saved() == {PATH: lesson_text()}


@pytest.mark.anyio
async def test_a_text_that_holds_other_sections_is_not_used(tmp_path: Path) -> None:
    greedy = f"{SHORT}\n## Notes\n\n- Mine\n"
    with planning(tmp_path, [lesson_text(), greedy, greedy], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.finish(state, teacher_adjudication=judge(starter=("revise", "x")))

    assert plan.saved() == {PATH: lesson_text()}


@pytest.mark.anyio
async def test_an_answer_that_cannot_be_read_is_a_failure_not_a_guess(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), "Here is one.", "And one."], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, judge(starter="alternatives")(state.gates[0].interaction))
        again = state.gates[0].interaction

    assert isinstance(again, Sections)
    assert "The answer holds 0 texts, 2 were asked for." in again.sections[0].text


@pytest.mark.anyio
async def test_a_provider_that_fails_costs_no_work_and_may_be_asked_again(tmp_path: Path) -> None:
    script = [lesson_text(), ProviderFailed("The model does not answer"), SHORT]
    with planning(tmp_path, script, hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(
            state, judge(starter=("revise", "shorter"))(state.gates[0].interaction)
        )
        told = state.gates[0].interaction
        state = await plan.answer(state, judge(starter=("revise", "shorter"))(told))
        state = await plan.finish(state)

    assert isinstance(told, Sections)
    assert "[Not accepted yet: The model does not answer.]" in told.sections[0].text
    assert "On show-me boards." in next(iter(plan.saved().values()))


def priced(text: str, cost: float) -> Answer:
    return Answer(
        message=assistant_message(text),
        stop_reason="end_turn",
        answered_by="scripted",
        model="sonnet",
        cost_usd=cost,
    )


@pytest.mark.anyio
async def test_what_a_revision_costs_is_counted_once_and_stays_counted(tmp_path: Path) -> None:
    script = [priced(lesson_text(), 0.25), priced(SHORT, 0.5)]
    with planning(tmp_path, script, hooks=(*ONLY, "confidence")) as plan:
        state = await plan.start()
        state = await plan.answer(state, judge(starter=("revise", "x"))(state.gates[0].interaction))
        revised = state.run.cost_usd
        state = await plan.answer(state, yes(state.gates[0].interaction))
        assert "confidence" in state.gates[0].row.gate  # a segment that has the revision behind it
        waiting = state.run.cost_usd
        state = await plan.finish(state)
        with plan.app.database.transaction(write=False) as connection:
            spans = spans_of(connection, plan.app.actor, state.run.id)

    assert (revised, waiting, state.run.cost_usd) == (0.75, 0.75, 0.75)
    assert {span.step for span in spans if span.kind == "model"} == {
        "t1/model",
        "t1/hook/post_loop/teacher-adjudication/ask/write/1/starter/1/model",
    }
    assert len(plan.model.requests) == 2


@pytest.mark.anyio
async def test_the_next_run_of_the_session_reads_what_was_accepted(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text(), SHORT], hooks=ONLY) as plan:
        state = await plan.finish(
            await plan.start(), teacher_adjudication=judge(starter=("revise", "x"))
        )
        with plan.app.database.transaction(write=False) as connection:
            said = read_session(connection, plan.app.actor, state.run.session_id).messages

    assert said[-1].text == state.run.output
    assert "## Starter (3 min)" in said[-1].text


@pytest.mark.anyio
async def test_saying_yes_to_everything_accepts_and_says_so(tmp_path: Path) -> None:
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()
        state = await plan.answer(state, automatic_reply(state.gates[0].interaction))
        span = plan.spans(state)["teacher-adjudication"]

    assert plan.saved() == {PATH: lesson_text()}
    assert span["auto"] is True
    assert all(each["auto"] for each in span["decisions"])


@pytest.mark.anyio
async def test_a_curriculum_that_changed_while_the_draft_waited_opens_its_section_again(
    tmp_path: Path,
) -> None:
    changed = CURRICULUM.replace("Choose tools", "Pick tools")
    fixed = '- [TCH 3-15a](curriculum/cfe-computing.md#L9-L9) "Pick tools to design, build"'
    with planning(tmp_path, [lesson_text(), fixed], hooks=ONLY) as plan:
        state = await plan.start()
        write_files(tmp_path / "workspace", {"curriculum/cfe-computing.md": changed})
        state = await plan.answer(state, yes(state.gates[0].interaction))
        again = state.gates[0].interaction
        assert plan.saved() == {}
        state = await plan.finish(
            state, teacher_adjudication=judge(curriculum=("revise", "as it is now"))
        )

    assert isinstance(again, Sections)
    assert [section.id for section in again.sections] == ["curriculum"]
    assert fixed in next(iter(plan.saved().values()))


@pytest.mark.anyio
async def test_local_rules_write_a_section_from_a_typed_wish(tmp_path: Path) -> None:
    registry = Registry()
    wishes: list[SectionWish] = []

    def write(wish: SectionWish) -> SectionTexts:
        wishes.append(wish)
        return SectionTexts((SHORT,))

    registry.register(SECTION, SectionWish, write)
    registry.register("lesson-planning:create-lesson", Request, lambda request: lesson_text())
    with planning(tmp_path, [], hooks=ONLY) as plan:
        object.__setattr__(plan.runtime, "provider", LocalProvider(registry))
        state = await plan.finish(
            await plan.start(), teacher_adjudication=judge(starter=("revise", "three minutes"))
        )

    assert state.run.source == LOCAL
    assert "On show-me boards." in next(iter(plan.saved().values()))
    [wish] = wishes
    assert (wish.section, wish.title, wish.wish) == ("starter", "Starter (5 min)", "three minutes")
    assert (wish.class_id, wish.alternatives, wish.markdown) == ("3B", 0, lesson_text())


@pytest.mark.anyio
async def test_a_text_without_headings_is_judged_as_a_whole(tmp_path: Path) -> None:
    command = "lesson-planning:unit-overview"
    with planning(tmp_path, ["Just words.", "Other words."], hooks=ONLY, command=command) as plan:
        state = await plan.start()
        state = await plan.finish(
            state, teacher_adjudication=judge(whole=("revise", "other words"))
        )

    assert plan.saved() == {"lessons/2026-03-02-3B-lesson.md": "Other words."}
    assert state.run.output == "Other words."


@pytest.mark.anyio
async def test_a_worksheet_is_saved_among_worksheets(tmp_path: Path) -> None:
    sheet = "<!-- WORKSHEET -->\n# Loops\n## One\n1. ___\n<!-- ANSWER_KEY -->\n"
    with planning(tmp_path, [sheet], hooks=ONLY) as plan:
        await plan.finish(await plan.start())

    assert list(plan.saved()) == ["worksheets/2026-03-02-3B-loops.md"]


@pytest.mark.parametrize(
    ("product", "writes", "folder"),
    [
        ("lesson", "lessons/", "lessons"),
        ("document", "units/", "units"),
        ("document", "units/maths.md", "units"),
        ("document", "plan.md", "lessons"),
        ("document", "", "lessons"),
        ("worksheet", "lessons/", "worksheets"),
    ],
)
def test_a_command_says_in_which_folder_its_results_are(
    product: Product, writes: str, folder: str
) -> None:
    assert folder_of(product, writes) == folder


@pytest.mark.anyio
async def test_what_another_agent_makes_of_a_handed_over_request_is_no_lesson(
    tmp_path: Path,
) -> None:
    cards = "# Cards\n\n## Card 1\n\nA loop repeats.\n"
    hooks = ("age-appropriate", *ONLY)
    with planning(tmp_path, [cards], hooks=hooks, agent="somebody-else") as plan:
        await plan.finish(await plan.start())

    assert plan.saved() == {"lessons/2026-03-02-3B-cards.md": cards}


# --- the state ------------------------------------------------------------------------------------

ids = [section.id for section in sections(lesson_text())]


@given(
    rounds=st.lists(
        st.dictionaries(
            st.sampled_from(ids), st.sampled_from(["accept", "revise", "alternatives"])
        ),
        max_size=6,
    ),
    keep=st.sampled_from(["1", "2", "keep"]),
)
def test_whatever_is_decided_untouched_sections_stay_and_all_are_decided_at_the_end(
    rounds: list[dict[str, str]], keep: str
) -> None:
    state = judging.begin(lesson_text())
    left, touched = list(rounds), set()
    for number in range(200):
        if state.done:
            break
        asked = judging.question(state)
        state = judging.asked(state)
        if isinstance(asked, Choices):
            state, wishes = judging.answered(state, picked(keep))
        else:
            assert isinstance(asked, Sections)
            choice = left.pop(0) if left else {}
            reply = Reply(
                picked={
                    s.id: PickedOption(choice.get(s.id, "accept"), "wish") for s in asked.sections
                }
            )
            state, wishes = judging.answered(state, reply)
        for wish in wishes:
            touched.add(wish.section)
            texts = [f"New text {number}.{n}" for n in range(max(1, wish.alternatives))]
            state = judging.written(state, wish, texts)

    assert state.done
    assert others(state.markdown, *touched) == others(lesson_text(), *touched)
    assert {change.section for change in judging.changes(state)} <= touched
    assert {each.section for each in state.decided} == set(ids)


# --- saving ---------------------------------------------------------------------------------------


@pytest.fixture
def documents(tmp_path: Path) -> DirectoryDocuments:
    return DirectoryDocuments(tmp_path / "workspace")


@pytest.mark.parametrize(
    ("title", "class_id", "stem"),
    [
        ("Choosing a loop", "3B", "2026-03-02-3B-choosing-a-loop"),
        ("À la plage: été!", "2C", "2026-03-02-2C-a-la-plage-ete"),
        ("", None, "2026-03-02-lesson"),
        ("../../etc", "../x", "2026-03-02-x-etc"),
        ("x" * 90, "3B", f"2026-03-02-3B-{'x' * 50}"),
    ],
)
def test_the_name_tells_day_class_and_title(title: str, class_id: str | None, stem: str) -> None:
    assert file_stem(NOON.date(), class_id, title) == stem


@given(title=st.text())
def test_any_title_makes_a_name_that_every_file_system_takes(title: str) -> None:
    slug = slug_of(title)

    assert slug
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(slug) <= 50


def test_a_name_that_is_taken_gets_a_number(documents: DirectoryDocuments) -> None:
    first = free_path(documents, "lessons", "a")
    save_once(documents, first, "one")

    assert free_path(documents, "lessons", "a") == "lessons/a-2.md"


def test_saving_again_finds_the_file_and_another_text_is_never_written_over(
    documents: DirectoryDocuments,
) -> None:
    assert save_once(documents, "lessons/a.md", "one") == "lessons/a.md"
    assert save_once(documents, "lessons/a.md", "one") == "lessons/a.md"
    assert save_once(documents, "lessons/a.md", "two") == "lessons/a-2.md"
    assert documents.read("lessons/a.md").text == "one"
    assert documents.paths("lessons") == ["lessons/a-2.md", "lessons/a.md"]
