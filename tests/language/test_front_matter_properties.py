import json

import yaml
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.language.front_matter import Value, read_front_matter

WORDS = st.from_regex(r"[a-z][a-z0-9./_-]{0,8}( [a-z0-9]{1,5})?", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PARAGRAPHS = st.lists(st.from_regex(r"[!-~][ -~]{0,12}", fullmatch=True), min_size=1).map(
    lambda lines: "\n".join(lines) + "\n"
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS
    | TEXTS
    | PARAGRAPHS
)
KEYS = st.from_regex(r"[A-Za-z_$][A-Za-z0-9_.$/-]{0,6}( [a-z0-9]{1,4})?", fullmatch=True)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(
    values=st.dictionaries(KEYS, VALUES, max_size=4),
    flow=st.booleans() | st.none(),
    width=st.sampled_from([20, 80, 10_000]),
    signs=st.booleans(),
    body=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20),
    windows=st.booleans(),
)
def test_what_another_program_wrote_is_read_back(
    values: dict[str, Value],
    flow: bool | None,
    width: int,
    signs: bool,
    body: str,
    windows: bool,
) -> None:
    written = yaml.safe_dump(
        values, default_flow_style=flow, width=width, allow_unicode=signs, sort_keys=False
    )
    text = f"---\n{written}---\n{body}"
    read = read_front_matter(text.replace("\n", "\r\n") if windows else text, "x.md")
    assert json.dumps(read.values) == json.dumps(values)  # 1, 1.0 and True are told apart
    assert read.body == body.lstrip("\n")
    assert list(read.lines) == list(values)


@given(text=st.text(max_size=200))
def test_any_text_is_read_or_refused_as_bad_input(text: str) -> None:
    assert_read_or_refused(text)
    assert_read_or_refused(f"---\n{text}\n---\n")


SIGNS = "a:-#'\"\\|>[]{},!?1~é\n\t \0\u2028\x85\ufeff"
MORE = ["key: ", "- key: ", "- ", "\n  ", "\n    ", "\r\n", "&x", "*x", "1.5", "true", "---"]
ESCAPES = ["\\u12", "\\x4", "|-", ">+"]
PIECES = st.sampled_from([*SIGNS, *MORE, *ESCAPES])


@given(pieces=st.lists(PIECES, max_size=40))
def test_any_mixture_of_yaml_signs_is_read_or_refused_as_bad_input(pieces: list[str]) -> None:
    assert_read_or_refused("---\n" + "".join(pieces) + "\n---\n")


def assert_read_or_refused(text: str) -> None:
    refusal = None
    try:
        read = read_front_matter(text, "x.md")
        json.dumps(read.values)
    except BadInput as error:
        refusal = error.message
    assert refusal is None or refusal.startswith("x.md:")
    lines = text.replace("\r\n", "\n").count("\n") + 1
    assert refusal is None or 1 <= int(refusal.split(":")[1]) <= lines
