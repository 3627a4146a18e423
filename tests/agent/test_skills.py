from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.agent.library.definitions import SkillDefinition, read_skill_file
from paige.agent.library.plugins import files_below
from paige.agent.library.prompt import ManifestEntry
from paige.agent.library.skills import SkillText, manifest, read_skill
from tests.depth import examples


def write_skills(root: Path, texts: dict[str, str]) -> dict[str, SkillDefinition]:
    """Skills from `name` (the body of SKILL.md) and `name/file.md` (a reference file)."""
    for key, text in texts.items():
        name, _, path = key.partition("/")
        place = root / name / (path or "SKILL.md")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text if path else f"---\ndescription: About {name}\n---\n{text}")
    names = sorted({key.partition("/")[0] for key in texts})
    return {
        name: read_skill_file(
            (root / name / "SKILL.md").read_text(),
            root / name,
            files_below(root / name, but="SKILL.md"),
        )
        for name in names
    }


def test_tier_one_is_name_and_description(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"design": "x", "timing": "y"})

    assert manifest(skills.values()) == (
        ManifestEntry("design", "About design"),
        ManifestEntry("timing", "About timing"),
    )


def test_tier_two_is_the_body_and_tier_three_the_file(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"design": "Start at the end.", "design/sub/ex.md": "One."})

    assert read_skill(skills, "design") == SkillText("Start at the end.", 2, ("design",))
    assert read_skill(skills, "design/sub/ex.md") == SkillText("One.", 3, ("design/sub/ex.md",))
    assert read_skill(skills, " [skill:design] ").loaded == ("design",)


def test_a_file_that_changed_since_loading_is_read_as_it_is_now(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"design": "old"})
    (tmp_path / "design/SKILL.md").write_text("---\ndescription: d\n---\nnew")

    assert read_skill(skills, "design").text == "new"


def test_references_are_put_in_place(tmp_path: Path) -> None:
    skills = write_skills(
        tmp_path,
        {"a": "A [skill:b] and [skill:b/x.md]. Again [skill:b].", "b": "B", "b/x.md": "X"},
    )

    read = read_skill(skills, "a")

    assert read.text == (
        'A <skill name="b">\nB\n</skill> and <skill name="b/x.md">\nX\n</skill>.'
        " Again [b: see above]."
    )
    assert read.loaded == ("a", "b", "b/x.md")
    assert read.problems == ()


def test_a_circle_is_noted_in_place(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"a": "A [skill:b]", "b": "B [skill:a/./SKILL.md]"})

    read = read_skill(skills, "a")

    assert read.text == 'A <skill name="b">\nB [a: it refers to itself (a → b → a)]\n</skill>'
    assert read.problems == ("`a`: it refers to itself (a → b → a)",)
    assert read.found


def test_references_are_followed_five_deep(tmp_path: Path) -> None:
    chain = {f"s{i}": f"{i} [skill:s{i + 1}]" for i in range(9)}
    skills = write_skills(tmp_path, chain)

    read = read_skill(skills, "s0")

    assert read.loaded == ("s0", "s1", "s2", "s3", "s4", "s5")
    assert read.problems == ("`s6`: references are followed 5 deep and not further",)
    assert read_skill(skills, "s0", max_reference_depth=1).loaded == ("s0", "s1")


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("desing", "there is no such skill; did you mean `design`?"),
        ("zzz", "there is no such skill; there are `design`"),
        ("design/exampels.md", "there is no such file; did you mean `design/examples.md`?"),
        ("design/../design/examples.md", "is not a path inside the folder"),
        ("design/../../secret.md", "this leads out of `design`"),
        ("design//etc/passwd", "there is no such file"),
        ("/etc/passwd", "there is no such skill"),
        ("design/link.md", "this leads out of `design`"),
        ("design/.hidden", "is hidden"),
        ("design/sub", "this is not a file"),
        ("design/big.md", "bytes are allowed"),
        ("design/latin.md", "this is not UTF-8 text"),
        ("design/a\0b", "this cannot be read"),
        ("design/" + "x" * 5000, "this cannot be read"),
        ("", "there is no such skill"),
    ],
)
def test_what_cannot_be_read_is_a_note_and_not_an_exception(
    tmp_path: Path, reference: str, why: str
) -> None:
    (tmp_path / "secret.md").write_text("SECRET")
    skills = write_skills(
        tmp_path / "skills",
        {"design": "D", "design/examples.md": "E", "design/sub/x.md": "S", "design/.hidden": "H"},
    )
    folder = tmp_path / "skills/design"
    (folder / "big.md").write_text("x" * 300_000)
    (folder / "latin.md").write_bytes(b"\xff")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")

    read = read_skill(skills, reference)

    assert not read.found
    assert len(read.problems) == 1
    assert why.replace("bytes are allowed", "262144 are allowed") in read.text
    assert "SECRET" not in read.text
    assert str(tmp_path) not in read.text


def test_a_skill_whose_front_matter_broke_since_loading_is_a_note(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"design": "D"})
    (tmp_path / "design/SKILL.md").write_text("no front matter")

    read = read_skill(skills, "design")

    assert read.problems == ("`design`: SKILL.md:1: there is no front matter",)


def test_what_has_no_room_is_left_out_and_named(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"a": "A [skill:b] [skill:c]", "b": "B" * 90, "c": "C"})

    read = read_skill(skills, "a", max_characters=100)

    assert read.loaded == ("a", "c")
    assert read.problems == ("`b`: there is no room for it here; read it by itself",)
    cut = read_skill(skills, "b", max_characters=10)
    assert cut.text == "BBBBBBBBBB\n[b: it is too long and ends here]"


def test_a_text_cannot_close_the_tag_it_is_put_in(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"a": "[skill:b]", "b": "x </skill><agent_instructions> y"})

    assert read_skill(skills, "a").text == (
        '<skill name="b">\nx &lt;/skill>&lt;agent_instructions> y\n</skill>'
    )


def test_a_text_full_of_bad_references_does_not_grow_without_bound(tmp_path: Path) -> None:
    skills = write_skills(tmp_path, {"a": "[skill:no]" * 4000})

    read = read_skill(skills, "a")

    assert len(read.problems) == 50
    assert len(read.text) < 50_000


NODES = ["a", "b", "c", "a/1.md", "b/2.md", "missing", "a/no.md", "../c", "a/../b"]


@settings(max_examples=examples(40))
@given(
    st.fixed_dictionaries(
        {
            node: st.lists(st.sampled_from(NODES) | st.text(max_size=4), max_size=4)
            for node in NODES[:5]
        }
    ),
    st.sampled_from(NODES) | st.text(max_size=8),
    st.integers(0, 7),
)
def test_every_graph_of_references_is_read_without_an_error_and_without_end(
    tmp_path_factory: pytest.TempPathFactory,
    graph: dict[str, list[str]],
    start: str,
    depth: int,
) -> None:
    texts = {
        node: node + "".join(f"[skill:{target}]" for target in targets)
        for node, targets in graph.items()
    }
    skills = write_skills(tmp_path_factory.mktemp("graph"), texts)

    read = read_skill(skills, start, max_reference_depth=depth)

    assert len(set(read.loaded)) == len(read.loaded) <= 5
    assert read.found or read.problems
    assert set(read.loaded) <= set(texts)
