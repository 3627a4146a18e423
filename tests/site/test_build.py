"""The documentation as a site: everything in it holds together, and loads nothing from outside."""

import re
import subprocess
import sys
import zipfile
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.site.conftest import ROOT
from tools.site.building import Built, build_site

LOADING = {"script": "src", "img": "src", "source": "srcset", "link": "href", "iframe": "src"}
MOST_PACKED = 2_000_000


class Read(HTMLParser):
    """What a page links to, loads, and can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self._open = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open = tag
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if given.get(LOADING.get(tag, "")):
            self.loads.append(given[LOADING[tag]])
        self.inline += [name for name in given if name.startswith("on") or name == "style"]

    def handle_data(self, data: str) -> None:
        if self._open == "script" and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._open = ""


@cache
def pages(site: Path) -> dict[str, Read]:
    return {path.relative_to(site).as_posix(): Read(path) for path in sorted(site.rglob("*.html"))}


def test_the_site_is_built_without_any_problem(built: Built) -> None:
    assert built.problems == ()


def test_every_page_of_the_docs_is_in_it(site: Path) -> None:
    wanted = {
        path.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    } - {"README.html"}

    assert wanted | {"index.html", "about.html", "changelog.html"} <= set(pages(site))


def test_every_link_leads_to_a_page_and_a_heading_that_are_there(site: Path) -> None:
    read = pages(site)
    broken: list[str] = []
    for name, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            path = (site / name).parent / unquote(parts.path) if parts.path else site / name
            target = path.resolve()
            ids = read[_name(target, site)].ids if target.is_file() else []
            if not target.is_file() or (parts.fragment and parts.fragment not in ids):
                broken.append(f"{name}: {link}")

    assert broken == []


def test_every_page_is_reached_from_the_home_by_links_alone(site: Path) -> None:
    read = pages(site)
    seen, waiting = {"index.html"}, ["index.html"]
    while waiting:
        name = waiting.pop()
        for link in read[name].links:
            parts = urlsplit(link)
            if parts.scheme or not parts.path:
                continue
            target = _name(((site / name).parent / parts.path).resolve(), site)
            if target in read and target not in seen:
                seen.add(target)
                waiting.append(target)

    assert set(read) - seen == set()


def test_no_page_has_two_places_with_one_name(site: Path) -> None:
    for name, page in pages(site).items():
        assert len(page.ids) == len(set(page.ids)), name


def test_nothing_is_loaded_from_outside_and_no_script_stands_in_a_page(site: Path) -> None:
    for name, page in pages(site).items():
        for address in page.loads:
            assert not urlsplit(address).scheme, f"{name}: {address}"
            assert not address.startswith("/"), f"{name}: {address}"
            assert ((site / name).parent / address).is_file(), f"{name}: {address}"
        assert page.inline == [], name


def test_styles_and_scripts_name_no_outside_address(site: Path) -> None:
    for path in (*site.glob("*.css"), *site.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        if path.name != "search-index.js":  # the words of the pages, which may name addresses
            assert "//" not in re.sub(r"^\s*//.*$|(?<=\s)// .*$", "", text, flags=re.MULTILINE)
        assert "@import" not in text or path.suffix == ".js"


def test_the_same_sources_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    build_site(ROOT, tmp_path / "again", version="1.2.3")

    again = {p.relative_to(tmp_path / "again"): p for p in (tmp_path / "again").rglob("*.*")}
    assert {path.relative_to(site) for path in site.rglob("*.*")} == set(again)
    assert [
        name for name, path in again.items() if path.read_bytes() != (site / name).read_bytes()
    ] == []


def test_it_is_small_enough_to_come_with_the_package(site: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "site.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(site.rglob("*.*")):
            archive.write(path, path.relative_to(site))

    assert (tmp_path / "site.zip").stat().st_size <= MOST_PACKED


def test_the_command_says_how_large_it_is_and_ends_well(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.site", "--app", "/", str(tmp_path / "docs")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)

    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"\d+ pages, \d\.\d\d MB", done.stdout)
    assert '<a class="app" href="/">Open Paige</a>' in (tmp_path / "docs/index.html").read_text()


def _name(path: Path, site: Path) -> str:
    return path.relative_to(site.resolve()).as_posix()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository with two pages that are as they should be."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "web/public").mkdir(parents=True)
    (tmp_path / "web/public/favicon.svg").write_text("<svg/>", encoding="utf-8")
    home = "# Home\n\n## Start\n\n- [One](one.md#a-part)\n"
    (tmp_path / "docs/README.md").write_text(home, encoding="utf-8")
    (tmp_path / "docs/one.md").write_text("# One\n\n## A part\n\nWords.\n", encoding="utf-8")
    return tmp_path


def problems(root: Path, text: str) -> tuple[str, ...]:
    (root / "docs/one.md").write_text(f"# One\n\n## A part\n\n{text}\n", encoding="utf-8")
    return build_site(root, root / "out", version="1").problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[x](two.md)", "the link to `two.md` leads nowhere"),
        ("[x](../../outside.md)", "the link to `../../outside.md` leads nowhere"),
        ("[x](README.md#no-such)", "`docs/README.md` has no heading `#no-such`"),
        ("[x](#no-such)", "`docs/one.md` has no heading `#no-such`"),
        ("#### Deep", "the heading “Deep” skips a level"),
        ("# Again", "a page has one title"),
        ("![](x.png)", "the picture `x.png` has no words"),
        ("![words](x.png)", "the picture `x.png` is not in `docs`"),
        ("a <blink>word</blink>", "the tag `<blink>` is not shown; write it as code"),
        ("```mermaid\nx\n```", "a block in `mermaid` is neither drawn nor coloured"),
    ],
)
def test_what_a_reader_would_stumble_over_is_a_problem(
    small: Path, text: str, problem: str
) -> None:
    assert f"docs/one.md: {problem}" in problems(small, text)


def test_a_page_that_the_home_does_not_name_is_a_problem(small: Path) -> None:
    (small / "docs/two.md").write_text("# Two\n", encoding="utf-8")

    (problem,) = build_site(small, small / "out", version="1").problems
    assert problem.startswith("docs/two.md: the navigation does not lead there")


def test_good_pages_have_no_problems(small: Path) -> None:
    (small / "LICENSE").write_text("words", encoding="utf-8")

    assert problems(small, "[home](README.md#start), [licence](../LICENSE), `<blink>`") == ()
    shown = (small / "out/one.html").read_text(encoding="utf-8")
    assert '<a href="index.html#start">home</a>, licence, <code>&lt;blink&gt;</code>' in shown


def test_a_folder_that_holds_something_else_is_left_alone(small: Path) -> None:
    (small / "out").mkdir()
    (small / "out/thesis.txt").write_text("years of work", encoding="utf-8")

    with pytest.raises(FileExistsError, match="holds something else than a site"):
        build_site(small, small / "out", version="1")
    assert (small / "out/thesis.txt").read_text(encoding="utf-8") == "years of work"
