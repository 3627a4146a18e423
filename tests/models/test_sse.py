from hypothesis import given
from hypothesis import strategies as st

from paige.models.http_provider import EventReader

texts = st.lists(st.text(alphabet=st.characters(exclude_characters="\r\n"), min_size=1), max_size=5)


@given(texts, st.lists(st.integers(1, 7), min_size=1), st.sampled_from(["\n", "\r\n"]))
def test_events_are_the_same_wherever_the_pieces_end(
    events: list[str], sizes: list[int], line_end: str
) -> None:
    lines = [f"event: x{line_end}data: {event}{line_end}{line_end}" for event in events]
    body = "".join([f": hello{line_end}", *lines]).encode("utf-8", "replace")
    reader = EventReader()
    found: list[str] = []
    position = turn = 0
    while position < len(body):
        size = sizes[turn % len(sizes)]
        found += reader.feed(body[position : position + size])
        position, turn = position + size, turn + 1

    expected = [event.encode("utf-8", "replace").decode() for event in events]
    assert [*found, *reader.finish()] == expected


def test_several_data_lines_are_one_event_and_the_last_needs_no_empty_line() -> None:
    reader = EventReader()

    assert reader.feed(b"data: a\ndata:b\n\ndata: c") == ["a\nb"]
    assert reader.finish() == ["c"]
    assert reader.finish() == []
