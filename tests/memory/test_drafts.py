import contextlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.memory.intake.drafts import read_import_json, read_import_line

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_a_text_is_enough() -> None:
    draft = read_import_line({"text": "loops"})
    assert (draft.text, draft.scope, draft.type) == ("loops", "global", "note")
    assert draft.payload == {"source": "import"}


def test_every_key_of_the_batch_form_is_read() -> None:
    draft = read_import_line(
        {
            "text": "hi",
            "scope": "session",
            "project": "p 1",
            "session": "s",
            "speaker": "Anna",
            "type": "turn",
            "at": "2026-03-01T10:00:00+02:00",
            "importance": 1,
            "meta": {"id": 7},
            "unheard": [1],
        }
    )
    assert (draft.scope, draft.project, draft.session, draft.type) == (
        "session",
        "p 1",
        "s",
        "turn",
    )
    assert draft.payload == {"source": "import", "speaker": "Anna", "meta": {"id": 7}}
    assert draft.at == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert draft.importance == 1.0


def test_a_project_makes_the_scope_project() -> None:
    assert read_import_line({"text": "x", "project": "p"}).scope == "project"
    assert read_import_line({"text": "x", "project": "p", "scope": "global"}).scope == "global"
    assert read_import_line({"text": "x", "project": None, "scope": None}).scope == "global"


@pytest.mark.parametrize(
    ("at", "moment"),
    [
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01 09:30", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        (" 2026-03-01T09:30:00.25-05:00 ", datetime(2026, 3, 1, 14, 30, 0, 250000, tzinfo=UTC)),
    ],
)
def test_moments_may_be_written_in_several_ways(at: str, moment: datetime) -> None:
    assert read_import_line({"text": "x", "at": at}).at == moment


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ([1], "the line holds `[1]`, not an object"),
        ({}, "`text` is missing"),
        ({"text": 5}, "`text` is `5`, which is not a text"),
        ({"text": " \n"}, "`text` is empty"),
        ({"text": "x" * (2**20 + 1)}, "`text` has 1048577 characters"),
        ({"text": "x", "scope": "team"}, "`scope` is `team`, which is not a scope"),
        ({"text": "x", "scope": ["global"]}, "`scope` is `['global']`"),
        ({"text": "x", "project": 7}, "`project` is `7`"),
        ({"text": "x", "session": {}}, "`session` is `{}`"),
        ({"text": "x", "speaker": "y" * 2000}, "`speaker` has 2000 characters"),
        ({"text": "x", "type": 1.5}, "`type` is `1.5`"),
        ({"text": "x", "at": "yesterday"}, "`at` is `yesterday`, which is not a moment"),
        ({"text": "x", "at": 1700000000}, "`at` is `1700000000`"),
        ({"text": "x", "at": "0001-01-01T00:00:00+14:00"}, "which is not a moment"),
        ({"text": "x", "importance": 1.01}, "`importance` is `1.01`"),
        ({"text": "x", "importance": True}, "`importance` is `True`"),
        ({"text": "x", "importance": "high"}, "`importance` is `high`"),
        ({"text": "x", "meta": {"n": 2**64}}, "`meta.n` is"),
    ],
)
def test_a_wrong_value_is_named_with_its_key(line: Any, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_import_line(line)
    assert reason in caught.value.message


@pytest.mark.parametrize("line", ["{", b"\xff", "", "nothing"])
def test_a_line_that_is_not_json_says_so(line: str | bytes) -> None:
    with pytest.raises(BadInput, match="not JSON"):
        read_import_json(line)


def test_halves_of_characters_are_made_storable() -> None:
    assert read_import_line({"text": "a\ud800b\0"}).text == "a?b\ufffd"


@given(JSON)
def test_meta_is_kept_as_it_came(meta: Any) -> None:
    assert read_import_line({"text": "x", "meta": meta}).payload["meta"] == meta


@given(JSON)
def test_whatever_comes_in_is_read_or_refused_with_a_sentence(found: Any) -> None:
    with contextlib.suppress(BadInput):
        assert read_import_line(found).text.strip()


def test_a_number_that_needs_more_than_64_bits_is_refused_and_not_rounded() -> None:
    with pytest.raises(BadInput, match=r"`meta.n` is `18446744073709551616`"):
        read_import_json('{"text": "x", "meta": {"n": 18446744073709551616}}')
    line = b'{"text": "x", "meta": [18446744073709551615, -9223372036854775808, 1e30]}'
    assert read_import_json(line).payload["meta"] == [2**64 - 1, -(2**63), 1e30]
