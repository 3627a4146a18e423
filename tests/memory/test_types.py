import pytest

from paige.base.errors import BadInput
from paige.memory.types import TYPES, check_payload, gated, searchable, type_of

CONTENT = {
    "note", "turn", "fact", "preference", "episode", "pattern", "anti_pattern", "qa", "summary",
}  # fmt: skip
BOOKKEEPING = {
    "policy", "outcome", "promoted", "rescoped", "importance", "retracted", "forgotten",
    "file_written", "recalled",
}  # fmt: skip


def test_the_list_is_closed_and_says_what_is_searchable() -> None:
    assert set(TYPES) == CONTENT | BOOKKEEPING
    assert {name for name in TYPES if searchable(name)} == CONTENT
    assert all(kind.meaning for kind in TYPES.values())


def test_an_unknown_type_is_treated_like_a_note() -> None:
    assert searchable("coaching")
    assert gated("coaching")
    assert type_of("coaching") is TYPES["note"]


def test_the_gate_reads_documents_and_content_but_no_bookkeeping() -> None:
    assert {name for name in TYPES if gated(name)} == CONTENT | {"file_written"}


@pytest.mark.parametrize(
    ("name", "payload", "reason"),
    [
        ("promoted", {}, "needs `payload.of`"),
        ("promoted", {"of": 3}, "`payload.of` is `3`, which is not an id or a list of ids"),
        ("rescoped", {"of": ["a", 1]}, "`payload.of`"),
        ("importance", {"scores": [1]}, "`payload.scores` is `[1]`, which is not an object"),
        ("recalled", {}, "needs `payload.ids`"),
        ("file_written", {}, "needs `payload.path`"),
        ("fact", {"key": 3}, "`payload.key` is `3`, which is not a text"),
        ("episode", {"confidence": 1.5}, "a number from 0 to 1"),
        ("outcome", {"success": 1}, "`payload.success` is `1`, which is not true or false"),
        ("outcome", {"retries": True}, "which is not a number"),
        ("turn", {"speaker": ["x" * 500]}, "…"),
    ],
)
def test_a_wrong_payload_is_named(name: str, payload: dict[str, object], reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        check_payload(name, payload)
    assert reason in caught.value.message
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("promoted", {"of": "a", "from": "session", "to": "project", "score": 0.8}),
        ("forgotten", {"ids": ["a", "b"]}),
        ("outcome", {"success": False, "retries": 2, "recalled": ["a"]}),
        ("note", {"anything": [1, {"x": None}]}),
        ("unheard_of", {"tool": 3}),
    ],
)
def test_what_a_type_needs_is_enough(name: str, payload: dict[str, object]) -> None:
    check_payload(name, payload)
