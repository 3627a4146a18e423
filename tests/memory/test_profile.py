from hypothesis import given
from hypothesis import strategies as st

from paige.base.tokens import count_tokens_bound
from paige.memory.event import Event
from paige.memory.lifecycle.profile import derive_profile, profile_of, render_profile
from tests.memory.life import DAY, NOON, SmallMemory, event

ELSEWHERE = ("project", "session", "agent", "class", "learner")


def preference(number: int, key: str, text: str, **changes: object) -> Event:
    said = {"type": "preference", "scope": "global", "payload": {"key": key}}
    return event(number, text, **{**said, **changes})


def test_the_newest_value_of_a_key_is_shown_and_the_important_one_first() -> None:
    events = [
        preference(1, "editor.theme", "likes a light theme"),
        preference(2, "editor.theme", "likes a dark theme", at=NOON + DAY),
        preference(3, "lessons.length", "plans 45 minute lessons", importance=0.9),
        preference(4, "home", "lives in Leeds", type="fact", importance=1.0),
    ]
    assert render_profile(derive_profile(events, "me"), 300) == (
        "## Profile\n\n**lessons**\n- plans 45 minute lessons\n\n"
        "**editor**\n- likes a dark theme\n\n**general**\n- lives in Leeds\n"
    )


def test_only_keyed_facts_of_that_person_count() -> None:
    events = [
        preference(1, "a", "of someone else", owner="bo"),
        preference(2, "", "without a key"),
        preference(3, "c", "a note", type="note"),
        preference(4, "b", "forgotten", forgotten=True),
        *(preference(5, "d", f"about a {scope}", scope=scope) for scope in ELSEWHERE),
    ]
    assert derive_profile(events, "me").traits == ()
    assert render_profile(derive_profile(events, "me"), 300) == ""


def test_what_use_made_important_comes_first() -> None:
    memory = SmallMemory()
    for key in ("first", "second"):
        memory.add(f"the {key} one", type="preference", scope="global", payload={"key": key})
    memory.add(type="importance", payload={"scores": {"e1": 0.2, "e2": 0.9}})
    assert [each.key for each in profile_of(memory, "me").traits] == ["second", "first"]


@given(st.lists(st.text(max_size=80), max_size=15), st.integers(0, 200))
def test_a_profile_never_exceeds_its_budget(texts: list[str], budget: int) -> None:
    events = [preference(number, f"k{number}", text) for number, text in enumerate(texts)]
    shown = render_profile(derive_profile(events, "me"), budget)
    assert count_tokens_bound(shown) <= budget
