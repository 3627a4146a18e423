"""What Paige ships for teachers: the lesson-planning plugin and the sample workspace."""

import re
from pathlib import Path

import pytest

from paige.agent.builtin_tools import builtin_tools
from paige.agent.library.definitions import AgentDefinition, Plugin, SkillDefinition
from paige.agent.library.library import PluginLibrary
from paige.agent.library.plugins import load_plugin, load_plugins, read_inside
from paige.agent.library.prompt import MANIFEST_TOKENS, ManifestEntry, manifest_line
from paige.agent.library.skills import MAX_CHARACTERS, MAX_REFERENCE_DEPTH, read_skill
from paige.agent.tools import choose_tools
from paige.app.registries import HOOKS
from paige.base.paths import SHIPPED, layers
from paige.base.tokens import count_tokens_bound
from paige.exercise.worksheet.parse import parse_worksheet
from paige.language.names.gate import NameGate
from paige.plan.class_fit import judge_fit
from paige.plan.classes import ClassProfile, read_class
from paige.plan.curriculum.library import load_all
from paige.plan.evidence import check_with
from paige.plan.lessons import lesson as limits
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.parser import missing_sections
from paige.plan.lessons.sections import sections
from paige.store.documents import DirectoryDocuments

FOLDER = SHIPPED / "plugins" / "lesson-planning"
WORKSPACE = SHIPPED / "workspace"
PLUGIN = load_plugin(FOLDER)
AGENTS = list(PLUGIN.agents.values())
SKILLS = list(PLUGIN.skills.values())
CLASSES = ("1B", "2A", "2C", "3B")
SUBJECTS = {"Computing Science", "Technologies", "Mathematics", "English", "French", "History"}
OWN_TEXTS = sorted(
    [
        *FOLDER.rglob("*.md"),
        *WORKSPACE.glob("*.md"),
        *WORKSPACE.glob("classes/*.md"),
    ]
)
FILES = {
    "backward-design": {"framework.md", "examples.md"},
    "differentiation": {"sen-strategies.md", "eal-strategies.md", "mixed-ability.md"},
    "lesson-structure": {"timings-guide.md"},
    "retrieval-practice": {"techniques.md"},
    "cognitive-load": {"worked-examples.md"},
    "formative-assessment": {"techniques.md"},
    "metacognition": {"strategies.md"},
    "designing-for-equity": {"accessibility-privacy.md"},
}
AMERICAN = re.compile(
    r"\b(?:behaviors?|colors?|colored|favor\w*|centers?|gray|honors?|labeled|modeling|traveled"
    r"|math|gotten|catalog|dialog|defense|fulfill|skillful|analyz\w+"
    r"|(?:organ|recogn|summar|real|emphas|memor|general|minim|maxim|special|priorit|categor|util)"
    r"iz(?:e|ed|es|ing|ation))\b",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^````markdown\n(.*?)^````$", re.DOTALL | re.MULTILINE)
_NAMED_FILE = re.compile(r"`([a-z-]+/[a-z-]+\.md)`")


def name_of(path: Path) -> str:
    return path.relative_to(SHIPPED).as_posix()


def skills_of(agent: AgentDefinition) -> dict[str, SkillDefinition]:
    return {name: PLUGIN.skills[name] for name in agent.skills}


def profile_of(class_id: str) -> ClassProfile:
    path = f"classes/{class_id}.md"
    return read_class((WORKSPACE / path).read_text("utf-8"), path)


def example_in(text: str) -> str:
    found = _FENCED.search(text)
    assert found is not None
    return found[1]


def test_the_plugin_loads_without_problems_and_is_found_by_its_layer() -> None:
    loaded = load_plugins(layers(None, None))

    assert loaded.problems == ()
    plugin = loaded.plugins["lesson-planning"]
    assert isinstance(plugin, Plugin)
    assert set(plugin.commands) == {
        "create-lesson",
        "refine-lesson",
        "worksheet",
        "unit-overview",
        "cover-lesson",
        "update-memory",
    }
    assert set(plugin.agents) >= {
        "planner",
        "pedagogy-reviewer",
        "resource-creator",
        "differentiation-specialist",
    }


def test_every_skill_has_the_files_that_are_promised() -> None:
    assert {name: FILES[name] <= set(PLUGIN.skills[name].files) for name in FILES} == dict.fromkeys(
        FILES, True
    )
    assert set(PLUGIN.skills) == set(FILES)


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.name)
def test_a_skill_is_neither_too_short_to_help_nor_too_long_to_load(skill: SkillDefinition) -> None:
    whole = read_inside(skill.folder, "SKILL.md")

    assert count_tokens_bound(skill.body) >= 500
    assert count_tokens_bound(whole) <= 1500


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.name)
def test_a_description_says_when_to_use_the_skill_and_is_not_cut_off(
    skill: SkillDefinition,
) -> None:
    line = manifest_line(ManifestEntry(skill.name, skill.description))

    assert "Use " in skill.description
    assert not line.endswith("…")
    assert count_tokens_bound(line) <= MANIFEST_TOKENS


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.name)
def test_a_skill_names_each_of_its_files_and_no_other(skill: SkillDefinition) -> None:
    named = set(_NAMED_FILE.findall(skill.body))

    assert {f"{skill.name}/{file}" for file in skill.files} <= named
    there = {f"{each.name}/{file}" for each in SKILLS for file in each.files}
    assert named <= there


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_whatever_an_agent_may_read_resolves_for_that_agent(agent: AgentDefinition) -> None:
    known = skills_of(agent)
    references = list(known)
    references += [f"{name}/{file}" for name, skill in known.items() for file in skill.files]

    for reference in references:
        read = read_skill(known, reference, max_reference_depth=MAX_REFERENCE_DEPTH)
        assert read.found
        assert read.problems == (), reference
        assert len(read.text) < MAX_CHARACTERS


def test_a_skill_does_not_pull_its_files_in_before_they_are_asked_for() -> None:
    for skill in SKILLS:
        assert read_skill(PLUGIN.skills, skill.name).loaded == (skill.name,)


def test_texts_that_are_shared_are_put_in_place() -> None:
    read = read_skill(PLUGIN.skills, "differentiation/mixed-ability.md")

    assert read.loaded == ("differentiation/mixed-ability.md", "cognitive-load/fading.md")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_every_tool_and_hook_of_an_agent_exists(agent: AgentDefinition) -> None:
    assert agent.tools, "an agent says what it needs"
    assert "bash" not in agent.tools
    assert set(choose_tools(builtin_tools(), agent.tools, memory=True)) == set(agent.tools)
    places = [HOOKS.index(hook) for hook in agent.hooks]
    assert places == sorted(places)


def test_the_planner_has_every_hook_of_a_lesson_in_order() -> None:
    assert [hook for hook in PLUGIN.agents["planner"].hooks if hook != "kept-files"] == [
        "scope-check",
        "feedforward",
        "age-appropriate",
        "curriculum-evidence",
        "reflection-prompt",
        "teacher-adjudication",
        "memory-capture",
    ]


def test_an_agent_that_works_inside_another_asks_nobody_and_changes_nothing() -> None:
    for name in ("pedagogy-reviewer", "differentiation-specialist"):
        agent = PLUGIN.agents[name]
        assert agent.hooks == ()
        assert not {"write_file", "str_replace", "update_memory"} & set(agent.tools)


def test_remembering_asks_for_confirmation_and_judges_no_lesson() -> None:
    agent = PLUGIN.agents[PLUGIN.commands["update-memory"].agent]

    assert agent.hooks == ("scope-check", "memory-capture")
    assert "update_memory" not in agent.tools


@pytest.mark.parametrize("command", PLUGIN.commands.values(), ids=lambda command: command.name)
def test_a_prompt_can_be_made_for_every_command(command) -> None:
    library = PluginLibrary(PLUGIN, DirectoryDocuments(WORKSPACE), command)

    prompt = library.prompt(PLUGIN.agents[command.agent])

    assert [section.name for section in prompt.sections][:2] == [
        "assistant_identity",
        "agent_instructions",
    ]
    assert "command" in [section.name for section in prompt.sections]


def test_the_format_the_planner_is_taught_is_the_one_that_is_checked() -> None:
    body = PLUGIN.agents["planner"].body
    taught = example_in(body)

    assert missing_sections(taught) == []
    assert [section.id for section in sections(taught)] == [
        "learning-outcome",
        "success-criteria",
        "curriculum",
        "before-the-lesson",
        "key-learning-points",
        "keywords",
        "misconceptions",
        "starter",
        "learning-cycle-1",
        "exit-check",
        "differentiation",
        "homework",
        "notes",
    ]
    for sentence in (
        f"| title | {limits.TITLE_LENGTH} characters |",
        f'begins "{limits.OUTCOME_START}", {limits.OUTCOME_LENGTH} characters',
        f"word {limits.WORD_LENGTH} characters, meaning {limits.MEANING_LENGTH}",
        f"each {limits.MISCONCEPTION_LENGTH} characters",
        f"at least {limits.FEWEST_CHECKS} checks",
        "| success criteria | {} to {} |".format(*limits.SUCCESS_CRITERIA),
        "| prior knowledge | {} to {} |".format(*limits.PRIOR_KNOWLEDGE),
        "| key learning points | {} or {} |".format(*limits.KEY_POINTS),
        "| keywords | {} to {};".format(*limits.KEYWORDS),
        "| misconceptions | {} to {},".format(*limits.MISCONCEPTIONS),
        "| learning cycles | {} to {},".format(*limits.CYCLES),
    ):
        assert sentence in body


def test_the_lesson_shown_as_an_example_passes_every_check() -> None:
    lesson = example_in((FOLDER / "skills/lesson-structure/lesson-format.md").read_text("utf-8"))

    assert faults_in(lesson) == []
    report = check_with(lesson, DirectoryDocuments(WORKSPACE))
    assert report.faults == ()
    assert report.pointers
    assert report.unverified == ()
    fit = judge_fit(lesson, "lesson", profile_of("3B"))
    assert (fit.faults, fit.flaws) == ((), ())


def test_the_worksheet_shown_as_an_example_can_be_marked() -> None:
    sheet = parse_worksheet(example_in(PLUGIN.agents["resource-creator"].body))

    assert sheet.problems == ()
    assert sheet.worksheet.key is not None
    assert set(sheet.worksheet.key) == {question.id for question in sheet.worksheet.questions}


@pytest.mark.parametrize("path", OWN_TEXTS, ids=name_of)
def test_nobody_is_named(path: Path) -> None:
    assert NameGate().judge(path.read_text("utf-8")).named == ()


@pytest.mark.parametrize("path", OWN_TEXTS, ids=name_of)
def test_the_spelling_is_british(path: Path) -> None:
    text = path.read_text("utf-8").replace("apply, analyze, evaluate", "")  # names in a file format

    assert AMERICAN.findall(text) == []


@pytest.mark.parametrize("word", ["color", "behavior", "organize", "analyzing", "math", "center"])
def test_an_american_spelling_would_be_seen(word: str) -> None:
    assert AMERICAN.search(f"the {word} of it")


@pytest.mark.parametrize("word", ["colour", "behaviour", "organise", "maths", "coloured"])
def test_a_british_spelling_is_left_alone(word: str) -> None:
    assert not AMERICAN.search(f"the {word} of it")


@pytest.mark.parametrize("class_id", CLASSES)
def test_a_sample_class_can_be_read_and_has_its_curriculum(class_id: str) -> None:
    profile = profile_of(class_id)

    assert profile.problems == ()
    assert profile.id == class_id
    assert profile.year.startswith(f"S{class_id[0]}")
    assert profile.needs
    assert all(need.kind and need.what for need in profile.needs)
    assert profile.works
    assert profile.taught
    known = {curriculum.name for curriculum in load_all(DirectoryDocuments(WORKSPACE)).curricula}
    assert profile.curriculum
    assert set(profile.curriculum) <= known


def test_the_sample_classes_cover_every_subject() -> None:
    profiles = [profile_of(class_id) for class_id in CLASSES]

    assert {name for each in profiles for name in (each.subject, *each.also)} == SUBJECTS


def test_the_example_class_has_an_eal_pair_and_mixed_ability() -> None:
    profile = profile_of("3B")

    eal = next(need for need in profile.needs if need.kind == "EAL")
    assert eal.pupils == 2
    assert "Ukrainian" in eal.about
    assert "mixed ability" in profile.ability.casefold()
