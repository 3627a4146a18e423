"""The reader of pages: whatever people write, anchors are unique and links stay in the tree."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.depth import examples
from tools.site.markdown import Page, read_page
from tools.site.places import joined

LINES = some.lists(
    some.text(some.characters(codec="utf-8", exclude_categories=("Cc",)), max_size=40)
)
KEEP = settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class Balance(HTMLParser):
    """Counts what is opened and not closed."""

    VOID = {"img", "br", "hr", "source"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:  # `<br />` counts as opened and closed
            assert self.open.pop() == tag


def read(folder: Path, text: str) -> Page:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs/one.md").write_text(text, encoding="utf-8")
    return read_page(folder, "docs/one.md", {"docs/one.md": "one.html"})


@KEEP
@given(
    titles=some.lists(some.sampled_from(["One", "one", "One 1", "`one`", "One!", "Two", "*Two*"]))
)
def test_every_heading_has_an_anchor_of_its_own(tmp_path: Path, titles: list[str]) -> None:
    page = read(tmp_path, "\n\n".join(f"## {title}" for title in titles))

    assert len({heading.anchor for heading in page.headings}) == len(titles)
    assert [passage.heading for passage in page.passages] == list(page.headings)


@KEEP
@given(lines=LINES)
def test_any_text_becomes_a_page_whose_tags_are_closed(tmp_path: Path, lines: list[str]) -> None:
    page = read(tmp_path, "\n".join(["# Title", "", *lines]))
    balance = Balance()
    balance.feed(page.html)

    assert balance.open == [] or page.problems


@given(path=some.lists(some.sampled_from(["..", ".", "", "a", "b.md"])).map("/".join))
def test_a_link_never_leads_out_of_the_tree(path: str) -> None:
    found = joined("docs/how-to/one.md", path)

    assert found is None or not {"..", "."} & set(found.split("/"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("```sh\nls | wc\n```", '<div class="listing"><div class="scrolls code"><pre><code>'),
        ("| a |\n|---:|\n| 1 |", '<td class="right">1</td>'),
        ("<!-- unseen -->", ""),
        ("[out](https://example.org)", 'href="https://example.org" rel="noreferrer"'),
    ],
)
def test_what_a_piece_of_markdown_becomes(tmp_path: Path, text: str, shown: str) -> None:
    page = read(tmp_path, f"# Title\n\n{text}\n")

    assert shown in page.html
    assert "unseen" not in page.html
    assert page.problems == ()
