import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.base.frontmatter import Value, read_front_matter

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
    choice=st.randoms(use_true_random=False),
    body=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20),
    windows=st.booleans(),
)
def test_what_a_writer_wrote_is_read_back(
    values: dict[str, Value], choice: Random, body: str, windows: bool
) -> None:
    text = "\n".join(["---", *mapping_lines(values, 0, choice), "---", body])
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


def mapping_lines(values: dict[str, Value], indent: int, choice: Random) -> list[str]:
    """A small YAML writer: block or flow style, and every kind of quote, by chance."""
    lines: list[str] = []
    for key, value in values.items():
        written = f'"{key}"' if choice.random() < 0.2 else key
        lines += entry(f"{' ' * indent}{written}:", value, indent, choice)
        if choice.random() < 0.2:
            lines.append(choice.choice(["", "   # a comment", "  "]) if not is_block(lines) else "")
    return lines


def entry(start: str, value: Value, indent: int, choice: Random) -> list[str]:
    inner = indent + choice.choice([1, 2, 4])
    block = choice.random() < 0.7
    if isinstance(value, dict) and value and block:
        return [start, *mapping_lines(value, inner, choice)]
    if isinstance(value, list) and value and block:
        lines = [start]
        for item in value:
            lines += list_item(item, inner, choice)
        return lines
    if isinstance(value, str) and is_paragraph(value) and block:
        texts = [" " * (inner + 2) + line for line in value.split("\n")[:-1]]
        return [f"{start} |", *texts]
    return [f"{start} {flow(value, choice)}"]


def list_item(item: Value, indent: int, choice: Random) -> list[str]:
    if isinstance(item, dict) and item and choice.random() < 0.6:
        lines = mapping_lines(item, indent + 2, choice)
        return [" " * indent + "- " + lines[0].strip(" "), *lines[1:]]
    return entry(" " * indent + "-", item, indent + 1, choice)


def flow(value: Value, choice: Random) -> str:
    match value:
        case dict():
            pairs = [f"{quoted(key, choice)}: {flow(each, choice)}" for key, each in value.items()]
            return "{" + ", ".join(pairs) + "}"
        case list():
            return "[" + ", ".join(flow(each, choice) for each in value) + "]"
        case None:
            return choice.choice(["null", "~", "Null"])
        case bool():
            return choice.choice([str(value), str(value).lower(), str(value).upper()])
        case str():
            return quoted(value, choice)
    return repr(value)


def quoted(text: str, choice: Random) -> str:
    plain = text.replace(" ", "").isalpha() and text.isascii() and text == text.strip()
    if plain and text.lower() not in ("true", "false", "null") and choice.random() < 0.6:
        return text
    if "\n" not in text and "\r" not in text and choice.random() < 0.5:
        return "'" + text.replace("'", "''") + "'"
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(short.get(c, f"\\x{ord(c):02x}" if c < " " else c) for c in text) + '"'


def is_paragraph(text: str) -> bool:
    lines = text.split("\n")
    return (
        lines[-1] == ""
        and len(lines) > 1
        and all(
            line.isascii() and line.isprintable() and line.strip() and line[0] != " "
            for line in lines[:-1]
        )
    )


def is_block(lines: list[str]) -> bool:
    return any(line.endswith(" |") for line in lines)
