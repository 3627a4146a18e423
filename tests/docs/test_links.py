"""Every link of the documentation leads somewhere."""

import pytest

from tests.docs.pages import ROOT, Page, all_pages, read_page

PAGES = all_pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_and_anchor_resolves(page: Page) -> None:
    assert [target for target in page.links() if not _resolves(page, target)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_is_there(page: Page) -> None:
    missing = [name for name in page.pictures() if not (page.path.parent / name).is_file()]

    assert missing == []


def test_the_index_leads_to_every_page_of_the_docs() -> None:
    index = read_page(ROOT / "docs" / "README.md")
    linked = {(index.path.parent / target).resolve() for target in index.links()}

    pages = {page.path for page in PAGES if page.path.is_relative_to(ROOT / "docs")}
    assert sorted(path.name for path in pages - linked - {index.path}) == []


@pytest.mark.parametrize(
    ("target", "resolves"),
    [
        ("CONTRIBUTING.md", True),
        ("CONTRIBUTING.md#commits", True),
        ("#what-works-today", True),
        ("docs/decisions", True),
        ("CONTRIBUTING.md#no-such-heading", False),
        ("docs/no-such-page.md", False),
    ],
)
def test_a_broken_link_is_noticed(target: str, resolves: bool) -> None:
    assert _resolves(read_page(ROOT / "README.md"), target) is resolves


def _resolves(page: Page, target: str) -> bool:
    if target.startswith(("http://", "https://", "mailto:")):
        return True
    name, _, anchor = target.partition("#")
    path = (page.path.parent / name).resolve() if name else page.path
    if not path.is_relative_to(ROOT) or not path.exists():
        return False
    return not anchor or anchor in read_page(path).anchors()
