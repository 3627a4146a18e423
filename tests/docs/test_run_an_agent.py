"""The plugin that the how-to page shows is the one that tests run."""

from tests.docs.pages import ROOT, page

PLUGIN = ROOT / "tests" / "docs" / "plugins" / "notes"


def test_the_page_shows_every_file_of_the_plugin_as_it_is() -> None:
    shown = page("docs/how-to/run-an-agent.md")
    blocks = [block.text for block in shown.blocks if block.language == "markdown"]

    files = sorted(PLUGIN.rglob("*.md"))
    names = [path.relative_to(PLUGIN).as_posix() for path in files]
    assert sorted(blocks) == sorted(path.read_text().rstrip("\n") for path in files)
    assert [name for name in names if f"`{name}`" not in shown.prose] == []
