"""Explanations without a model: what the code is made of, at every depth, for any text."""

import textwrap
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.coach.local.explain import (
    PassageGiven,
    PhaseContext,
    explain_code,
    family_of,
    read_constructs,
)
from paige.coach.local.python_reading import constructs_in, parse_piece
from paige.language.patterns import LinearPattern
from paige.learner.stages import STAGES, Stage

SUM = """
def total(items, seen=[]):
    if not items:
        return 0
    result = 0
    for item in items:
        result += item["price"]
        seen.append(item)
    return result
"""


def explained(text: str, language: str = "python", **more: object) -> str:
    given_ = PassageGiven(text=text, path="a.x", language=language, **more)  # type: ignore[arg-type]
    return explain_code(given_).explanation


def test_the_depth_is_that_of_the_stage() -> None:
    novice = explain_code(PassageGiven(text=SUM, path="a.py", language="python", stage="novice"))
    middle = explain_code(PassageGiven(text=SUM, path="a.py", language="python", stage="competent"))
    expert = explain_code(PassageGiven(text=SUM, path="a.py", language="python", stage="expert"))

    assert "- It defines the function `total`" in novice.explanation
    assert "  - For each `item` of `items`" in novice.explanation
    assert novice.analogy is not None
    assert "Why it is written so" in middle.explanation
    assert "use `None` and make a new one inside" in middle.explanation
    assert middle.analogy is None
    assert len(expert.explanation) < len(middle.explanation) < len(novice.explanation)
    for answer in (novice, middle, expert):
        assert "shared default value" in answer.key_concepts


@pytest.mark.parametrize(
    ("code", "construct"),
    [
        ("[x for x in xs if x]", "comprehension"),
        ("lambda x: x", "lambda"),
        ("with open('a') as f:\n    pass", "context_manager"),
        ("try:\n    f()\nexcept:\n    pass", "bare_except"),
        ("async def f():\n    await g()", "await"),
        ("def f(n):\n    return f(n - 1)", "recursion"),
        ("def f():\n    yield 1", "generator"),
        ("a, b = b, a", "unpacking"),
        ("x[1:3]", "slicing"),
        ("if x is None:\n    pass", "none_check"),
        ("@cache\ndef f(): ...", "decorator"),
        ("@dataclass\nclass A:\n    x: int", "dataclass"),
        ("class A(B): ...", "inheritance"),
        ("match x:\n    case 1: ...", "switch"),
        ("def f(*a): ...", "star_arguments"),
        ("if (n := 3) > 2: ...", "walrus"),
        ("return x", None),  # only a piece, and nothing in it to explain
        ("    else:\n        return x[0]", "indexing"),
        ("except ValueError:\n    raise", "raise"),
        ("for x in xs:", "for_loop"),
        ("continue", "break_continue"),
    ],
)
def test_constructs_of_python_are_found(code: str, construct: str | None) -> None:
    tree = parse_piece(code)
    assert tree is not None
    assert construct is None or construct in constructs_in(tree)


@pytest.mark.parametrize(
    ("language", "code", "construct"),
    [
        ("typescript", "const f = async (x: number): Promise<void> => { await g(x); }", "await"),
        ("javascript", "xs.map(x => x * 2).filter(Boolean)", "map_filter_reduce"),
        ("javascript", "const { a, ...rest } = props;", "spread"),
        ("javascript", "user?.name ?? 'nobody'", "optional_chaining"),
        ("javascriptreact", "const [n, setN] = useState(0);", "hook"),
        ("go", "if err != nil {\n\treturn err\n}", "error_return"),
        ("rust", "let y = &mut x;", "pointer"),
        ("java", "public int add(int a, int b) {\n  return a + b;\n}", "function"),
        ("sql", "select a from t join u on t.i = u.i", "sql_join"),
        ("shellscript", 'cat "$file" | sort', "pipe"),
        ("css", ".box { color: red; }", "css_rule"),
        ("yaml", "name: x\non: push", "key_value"),
        ("ruby", "xs.each do |x|\n  puts x\nend", "for_loop"),
    ],
)
def test_constructs_of_other_languages_are_found(language: str, code: str, construct: str) -> None:
    answer = explain_code(PassageGiven(text=code, path="a", language=language))
    assert read_constructs()[construct].name in answer.key_concepts


def test_a_word_in_a_comment_is_no_construct() -> None:
    answer = explain_code(PassageGiven(text="// while (we wait)\nx = 1", path="a", language="go"))
    assert answer.key_concepts == []


def test_the_phase_is_named_only_where_it_has_to_do_with_the_code() -> None:
    phase = PhaseContext(2, "Totals", "Correct the discount", ("cart.py",))
    for path, code, expected in (
        ("cart.py", "x = 1", "one of the files it expects"),
        ("other.py", "discount = 3", "what it describes is named here"),
        ("other.py", "x = 1", None),
    ):
        found = explain_code(PassageGiven(text=code, path=path, language="python", phase=phase))
        assert (expected or "None") in str(found.phase_connection)


def test_nothing_selected_is_taken_from_around_or_said() -> None:
    around = "a = 1\nfor x in y:\n    pass\n"
    found = PassageGiven(text="", path="a.py", language="python", context=around, lines=(2, 3))
    assert "loop over items" in explain_code(found).key_concepts
    assert "Nothing is selected" in explained("")


def test_every_construct_says_three_things_and_has_sound_patterns() -> None:
    for construct in read_constructs().values():
        assert construct.plain
        assert construct.why
        assert construct.brief
        assert construct.plain.endswith(".")
        assert len(construct.brief) <= len(construct.plain)
        for pattern in construct.patterns.values():
            assert isinstance(pattern, LinearPattern)


@given(st.text(max_size=300), st.sampled_from(STAGES), st.sampled_from(["python", "go", "sql"]))
def test_any_text_is_explained_somehow(text: str, stage: Stage, language: str) -> None:
    answer = explain_code(PassageGiven(text=text, path="a", language=language, stage=stage))
    assert answer.explanation.strip()
    assert stage in get_args(Stage)


@given(st.sampled_from([SUM, "for x in y:\n    z(x)\n", "a = b if c else d"]), st.integers(0, 8))
def test_indentation_does_not_change_what_is_found(code: str, depth: int) -> None:
    plain, moved = parse_piece(code), parse_piece(textwrap.indent(code, " " * depth))
    assert plain is not None
    assert moved is not None
    assert constructs_in(plain) == constructs_in(moved)


def test_families_cover_what_editors_call_languages() -> None:
    assert [family_of(name) for name in ("python", "typescript", "sql", "nonsense")] == [
        "python",
        "c",
        "sql",
        "c",
    ]
