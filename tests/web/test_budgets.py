"""What a browser has to fetch, and when: the budgets of the built app."""

import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from paige.base.paths import SHIPPED

WEB = SHIPPED / "web"
KB = 1024
FIRST_LOAD = 350 * KB  # everything before the first page works, fonts included
FIRST_SCRIPTS = 200 * KB  # of it, what has to be parsed and run
LANGUAGE = 25 * KB  # comes before the first paint, for those who read it
LATE_PART = 150 * KB  # a page, an editor, a terminal
FONT = re.compile(r"-latin-wght-normal-[\w-]+\.woff2$")
LANGUAGES = {"fr", "pseudo"}


class _Fetched(HTMLParser):
    """What the index makes a browser fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        path = named.get("src") if tag in ("script", "img") else named.get("href")
        if tag in ("script", "img", "link") and path is not None and path not in self.paths:
            self.paths.append(path)


@pytest.fixture(scope="module")
def first() -> dict[str, int]:
    """The compressed size of everything that is fetched first."""
    index = WEB / "index.html"
    assert index.exists(), "The web app is not built. Run `make web`."
    parser = _Fetched()
    parser.feed(index.read_text(encoding="utf-8"))
    fonts = [
        f"/assets/{path.name}" for path in (WEB / "assets").iterdir() if FONT.search(path.name)
    ]
    return {path: _compressed(path) for path in ["/index.html", *parser.paths, *fonts]}


def test_the_first_load_stays_small(first: dict[str, int]) -> None:
    assert {".html", ".js", ".css", ".woff2"} <= {Path(path).suffix for path in first}
    assert sum(first.values()) <= FIRST_LOAD, first
    scripts = {path: size for path, size in first.items() if path.endswith((".js", ".css"))}
    assert sum(scripts.values()) <= FIRST_SCRIPTS, scripts


def test_what_is_not_needed_at_first_is_not_in_the_first_load(first: dict[str, int]) -> None:
    late = re.compile(r"editor|terminal|markdown|graph|progress|session|-page|pseudo|/fr-")

    assert [path for path in first if late.search(path)] == []
    # Few files: many small ones wait for each other on a slow line.
    assert len([path for path in first if path.endswith((".js", ".css"))]) <= 8


def test_every_late_part_and_every_language_stays_small() -> None:
    assets = (WEB / "assets").iterdir()
    sizes = {
        path.name: _compressed(f"/assets/{path.name}") for path in assets if path.suffix == ".js"
    }
    languages = {name: size for name, size in sizes.items() if name.split("-")[0] in LANGUAGES}

    assert {name: size for name, size in sizes.items() if size > LATE_PART} == {}
    assert len(languages) == len(LANGUAGES)
    assert max(languages.values()) <= LANGUAGE


def test_larger_texts_are_sent_compressed() -> None:
    for path in (WEB / "assets").iterdir():
        if path.suffix in (".js", ".css") and path.stat().st_size >= 1_000:
            packed = path.with_name(f"{path.name}.gz")
            assert gzip.decompress(packed.read_bytes()) == path.read_bytes()


def test_what_the_worker_keeps_is_the_frame_and_belongs_to_this_version(
    first: dict[str, int],
) -> None:
    worker = (WEB / "sw.js").read_text(encoding="utf-8")
    found = re.match(r'const __BUILD__="([0-9a-f]{16})",__FRAME__=(\[.*?\]);', worker)
    assert found is not None
    frame = set(json.loads(found[2]))
    index = (WEB / "index.html").read_text(encoding="utf-8")

    assert json.loads((WEB / "version.json").read_bytes()) == {"build": found[1]}
    assert f'name="paige-build" content="{found[1]}"' in index
    assert {path for path in first if path.startswith("/assets/")} <= frame
    assert [path for path in frame if not (WEB / path.lstrip("/")).is_file()] == []
    # It is an old-fashioned script, which every browser takes as a worker, and a short one.
    assert re.search(r"\b(?:import|export)\b", worker) is None
    assert len(worker) < 6_000


def _compressed(path: str) -> int:
    content = (WEB / path.lstrip("/")).read_bytes()
    return len(content) if path.endswith((".woff2", ".png")) else len(gzip.compress(content))
