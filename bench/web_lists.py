"""Long lists in the web app: a chat of 2,000 messages, a run of 10,000 spans, a graph of 2,000.

Each is scrolled a step with every frame. What counts is the frame that 95 of 100 are faster than,
beside the same scrolling on a plain page of the same server with as many paragraphs of text.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page

from bench.harness import Benchmark, Pair
from bench.web_browser import PLAIN, open_page, paige_in_browser, slow_frame
from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.store.engine import open_sqlite
from tests.agent.told_runs import add_long_run
from tests.server.learned_project import SKIPPED, add_neighbours, add_traces
from tests.web.chat_scenes import LONG, add_long_session

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
_PARAGRAPHS = """(count) => {
  const words = "A line about what happened, long enough to be wrapped once or twice. ".repeat(3);
  const lines = Array.from({ length: count }, (_, number) => `<p>${number}: ${words}</p>`);
  document.body.innerHTML = `<main style="max-width: 40rem">${lines.join("")}</main>`;
}"""


@contextmanager
def _scrolled(fill: Callable[[Path], str], row: str, count: int, step: int) -> Iterator[Pair]:
    """`fill` puts data in and says which page shows it; `row` is there once it does."""
    paths: list[str] = []
    with paige_in_browser(lambda data: paths.append(fill(data))) as (browser, url):
        ours = open_page(browser, url + paths[0])
        ours.locator(row).first.wait_for()
        plain = open_page(browser, url + PLAIN)
        plain.evaluate(_PARAGRAPHS, count)
        yield Pair(lambda: _scroll(ours, step), lambda: _scroll(plain, step))


def _scroll(page: Page, step: int) -> float:
    page.bring_to_front()
    return slow_frame(page, step=step)


def _chat(data: Path) -> str:
    add_long_session(data)
    return f"/plan?session={LONG}"


def _trace(data: Path) -> str:
    with (
        closing(open_sqlite(data / "paige.db")) as database,
        database.transaction(write=True) as connection,
    ):
        return f"/traces/{add_long_run(connection, Actor(), NOW)}"


def _graph(data: Path) -> str:
    settings = Settings(cwd=data.parent, given_data_dir=data)
    with open_app(settings, strict=False, now=lambda: NOW) as app:
        add_traces(app, NOW)
        add_neighbours(app, NOW, 2_000)
    return f"/guard/graph?id={SKIPPED}"


def _list(
    name: str, fill: Callable[[Path], str], row: str, count: int, step: int = 240
) -> Benchmark:
    def prepare() -> AbstractContextManager[Pair]:
        return _scrolled(fill, row, count, step)

    return Benchmark(name, "ms", "lower", prepare, promise=2.0, turns=9)


BENCHMARKS = (
    _list("web-chat-2k", _chat, "[data-part=prompt]", 2_000),
    _list("web-trace-10k", _trace, "[role=treeitem]", 10_000),
    # The graph shows what is near, not all of it: its page is short, and so are the steps.
    _list("web-graph-2k", _graph, "#around-heading", 2_000, step=8),
)
