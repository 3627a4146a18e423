"""Which kind of error an answer or a piece of code shows."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.taxonomy.code import detect_code
from paige.exercise.taxonomy.detect import Context, detect_error
from paige.exercise.taxonomy.misconceptions import find_misconceptions
from paige.exercise.taxonomy.names import find_kind, known_name, names_of, taxonomy
from paige.exercise.taxonomy.spelling import distance, is_slip
from paige.exercise.values import DOMAINS, Domain, TestOutcome

LISTS = Context(
    other_answers=("selamat malam", "B"),
    false_friends={"embarazada": "pregnant"},
    registers={"kamu": "anda"},
)


@pytest.mark.parametrize(
    ("domain", "question", "expected", "actual", "kind"),
    [
        ("language", "Good evening", "selamat petang", "selamat malam", "vocabulary_confusion"),
        ("language", "Thank you", "terima kasih", "terimah kasih", "spelling"),
        ("language", "Water", "\u00e9t\u00e9", "ete", "spelling"),
        ("language", "a big house", "rumah besar", "besar rumah", "word_order"),
        ("language", "to run", "berlari", "melari", "affix_error"),
        ("language", "drinks", "minuman", "minum", "affix_error"),
        ("language", "he walks", "he walks", "he walked", "grammar_pattern"),
        ("language", "to school", "ke sekolah", "sekolah", "grammar_pattern"),
        ("language", "embarrassed", "avergonzada", "embarazada", "false_friend"),
        ("language", "you (formal)", "apa khabar anda", "apa khabar kamu", "register_mismatch"),
        ("language", "dog", "anjing", "kucing besar", None),
        ("language", "dog", "anjing", "Anjing", None),
        ("language", "dog", "anjing", "", None),
        ("technical", "How many?", "5", "4", "off_by_one"),
        ("technical", "The loop", "range(5)", "range(6)", "off_by_one"),
        ("technical", "The loop", "i < n", "i <= n", "off_by_one"),
        ("technical", "How many?", "5", "9", None),
        ("technical", "Call it", "print(x)", "print(x", "syntax_error"),
        (
            "conceptual",
            "Ice cream and drowning",
            "they are correlated because of summer",
            "ice cream causes drowning",
            "correlation_causation",
        ),
        (
            "conceptual",
            "Heat",
            "friction causes heat",
            "heat causes friction",
            "causal_error",
        ),
        (
            "conceptual",
            "Set and element",
            "a class contains methods",
            "methods contain a class",
            "relationship_confusion",
        ),
        (
            "conceptual",
            "Swans",
            "most swans are white",
            "all swans are white",
            "overgeneralization",
        ),
        (
            "conceptual",
            "Conduction",
            "all metals conduct electricity",
            "only copper conducts electricity",
            "undergeneralization",
        ),
        (
            "conceptual",
            "Define osmosis",
            "the movement of water through a membrane",
            "when plants grow towards light",
            "definition_error",
        ),
        ("conceptual", "Why?", "gravity", "magnets", None),
        ("interview", "How many?", "5", "6", "off_by_one"),
    ],
)
def test_kinds_of_errors_in_answers(
    domain: Domain, question: str, expected: str, actual: str, kind: str | None
) -> None:
    found = detect_error(domain, question, expected, actual, LISTS)
    assert (found.error_type if found else None) == kind
    assert found is None or found.note


@given(st.sampled_from(DOMAINS), st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_only_names_of_the_domain_are_given(domain: Domain, q: str, e: str, a: str) -> None:
    found = detect_error(domain, q, e, a)
    assert found is None or found.error_type in names_of(domain)


WRONG_CODE = {
    "compares_with_is": "def f(x):\n    return x is 5\n",
    "mutable_default": "def f(x, seen=[]):\n    seen.append(x)\n    return seen\n",
    "returns_in_first_round": (
        "def f(xs):\n    for x in xs:\n        if x > 3:\n            return True\n"
        "        else:\n            return False\n"
    ),
    "range_misses_an_end": (
        "def f(xs):\n    t = 0\n    for i in range(len(xs) - 1):\n        t += xs[i]\n"
        "    return t\n"
    ),
    "prints_instead_of_returning": "def f(a, b):\n    print(a + b)\n",
    "assigns_instead_of_returning": "def f(a, b):\n    result = a + b\n",
    "shadows_builtin": "def f(xs):\n    sum = 0\n    for x in xs:\n        sum += x\n"
    "    return sum(xs)\n",
    "changes_while_iterating": "def f(xs):\n    for x in xs:\n        if x < 0:\n"
    "            xs.remove(x)\n    return xs\n",
    "division_for_whole_numbers": "def f(xs):\n    mid = len(xs) / 2\n    return xs[mid]\n",
    "text_changed_in_place": "def f(s):\n    s.replace('a', 'b')\n    return s\n",
    "recursion_without_end": "def f(n):\n    return n * f(n - 1)\n",
    "list_searched_in_loop": "def f(xs):\n    seen = []\n    for x in xs:\n"
    "        if x not in seen:\n            seen.append(x)\n    return seen\n",
    "used_before_set": "def f(xs):\n    for x in xs:\n        total += x\n    return total\n",
    "or_with_a_value": "def f(x):\n    return x == 1 or 2\n",
    "keeps_none": "def f(xs):\n    xs = xs.sort()\n    return xs\n",
    "method_not_called": "def f(xs):\n    xs.sort\n    return xs\n",
}


@pytest.mark.parametrize("name", WRONG_CODE)
def test_each_misconception_is_seen(name: str) -> None:
    found = find_misconceptions(WRONG_CODE[name])
    assert [each.name for each in found] == [name]
    assert found[0].error_type in names_of("technical")
    assert 1 <= found[0].line <= WRONG_CODE[name].count("\n")


RIGHT_CODE = [
    "def f(x=None):\n    return x is None or x is True\n",
    "def f(xs):\n    for x in xs:\n        if x > 3:\n            return True\n    return False\n",
    "def f(xs):\n    for i in range(len(xs) - 1):\n        if xs[i] > xs[i + 1]:\n"
    "            return False\n    return True\n",
    "def f(xs):\n    for i in range(len(xs) - 1):\n        for j in range(i, len(xs)):\n"
    "            xs[i], xs[j] = xs[j], xs[i]\n    return xs\n",
    "def main(argv):\n    print(argv)\n",
    "class A:\n    def __init__(self, x):\n        self.x = x\n",
    "def f(n):\n    if n == 0:\n        return 1\n    return n * f(n - 1)\n",
    "def f(n):\n    return 1 if n == 0 else n * f(n - 1)\n",
    "def f(xs):\n    for x in list(xs):\n        xs.remove(x)\n    return xs\n",
    "def f(xs, y):\n    for x in xs:\n        if x == y:\n            xs.remove(x)\n"
    "            break\n    return xs\n",
    "def f(xs):\n    return xs[len(xs) // 2]\n",
    "def f(s):\n    s = s.replace('a', 'b')\n    return s\n",
    "def f(xs):\n    seen = set()\n    for x in xs:\n        if x in seen:\n            return x\n"
    "        seen.add(x)\n    return None\n",
    "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n",
    "def f(xs):\n    return [x for x in xs if x] + [y for y in xs]\n",
    "def f(xs):\n    first = True\n    while True:\n        if not first:\n"
    "            return last\n        last = xs.pop()\n        first = False\n",
    "def f(xs):\n    ys = sorted(xs)\n    return sum(ys) / len(ys)\n",
    "def f(xs):\n    with open('x') as file:\n        data = file.read()\n    return data\n",
    "def f(x):\n    try:\n        y = int(x)\n    except ValueError as error:\n"
    "        raise KeyError(x) from error\n    return y\n",
]


@pytest.mark.parametrize("code", RIGHT_CODE)
def test_sound_code_shows_none(code: str) -> None:
    assert find_misconceptions(code) == ()


def test_our_own_sources_hardly_show_any() -> None:
    root = Path(__file__).parents[2] / "src" / "paige" / "base"
    found = [
        (path.name, each.name, each.line)
        for path in sorted(root.glob("*.py"))
        for each in find_misconceptions(path.read_text("utf-8"))
    ]
    assert found == []


def outcome(name: str, status, message: str = "") -> TestOutcome:
    return TestOutcome(name, status, message)


def kinds(code: str, *tests: TestOutcome, timed_out: bool = False) -> list[str]:
    return [each.error_type for each in detect_code(code, tests, timed_out=timed_out)]


def test_how_tests_went_tells_the_kind() -> None:
    code = "def f(x):\n    return x\n"
    good = outcome("test_found", "passed")
    assert kinds(code, good) == []
    assert kinds(code, good, outcome("test_empty_list", "failed")) == ["missing_edge_case"]
    assert kinds(code, good, outcome("test_sum", "failed", "assert 4 == 5")) == ["off_by_one"]
    assert kinds(code, good, outcome("test_sum", "failed", "assert 4 == 9")) == ["logic_error"]
    assert kinds(code, outcome("test_sum", "timeout")) == ["complexity_error"]
    assert kinds(code, timed_out=True) == ["complexity_error"]
    assert kinds("def f(:\n", outcome("t", "error")) == ["syntax_error"]
    assert kinds("fn main() {}", outcome("t", "failed")) == ["syntax_error"]
    assert [
        e.error_type for e in detect_code("fn x", [outcome("t", "failed")], language="rust")
    ] == ["logic_error"]


def test_a_misconception_is_named_before_a_plain_logic_error() -> None:
    code = WRONG_CODE["returns_in_first_round"]
    found = detect_error(
        "technical",
        "",
        None,
        None,
        Context(code=code, tests=(outcome("test_last_match", "failed", "assert False"),)),
    )
    assert found is not None
    assert found.error_type == "misconception"


@given(st.text(max_size=120))
def test_any_text_can_be_looked_at(code: str) -> None:
    assert {e.error_type for e in detect_code(code)} <= set(names_of("technical"))


def test_names_are_known_or_nothing() -> None:
    assert known_name("Word Order") == "word_order"
    assert known_name("typo") == "spelling"
    assert known_name("something") is None
    assert known_name(None) is None
    kind = find_kind("off-by-one")
    assert kind is not None
    assert kind.domain == "technical"
    assert all(each.says and each.practise for each in taxonomy().kinds.values())


def test_distance_counts_a_swap_once() -> None:
    assert distance("selamta", "selamat") == 1
    assert distance("", "abc") == 3
    assert distance("kitten", "sitting") == 3
    assert is_slip("recieve", "receive")
    assert not is_slip("cat", "car")
    assert not is_slip("same", "same")


@given(st.text(max_size=8), st.text(max_size=8))
def test_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one) <= max(len(one), len(other))
