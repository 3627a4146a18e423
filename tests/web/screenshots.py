"""Pictures of everything the app shows: `python -m tests.web.screenshots [folder]`.

With `--readme` it takes the two pictures of the README instead. The server runs in a home that is
made for the pictures, so that they show no path of the machine they are taken on.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser

from paige.base.clock import system_clock
from tests.live import Live, live_paige
from tests.web import (
    finding_scenes,
    guard_scenes,
    orchestra_scenes,
    plan_scenes,
    study_scenes,
    trace_scenes,
)
from tests.web.browser import open_browser
from tests.web.memory_scenes import MEMORY_SCENES, fill
from tests.web.scenes import PASSCODE, SCENES, THEMES, WIDTHS, Scene
from tests.web.settings_scenes import SETTINGS_SCENES

ROOT = Path(__file__).parents[2]
HOME = Path(tempfile.gettempdir()) / "demo-home"
README_HEIGHT = 1160  # the doors and the beginning of what is set up


def main(arguments: list[str]) -> None:
    """Take the pictures and print where they are."""
    if arguments == ["--readme"]:
        taken = take_for_readme(ROOT / "docs" / "pictures")
    else:
        taken = take_all(Path(arguments[0]) if arguments else ROOT / "screenshots")
    for path in taken:
        sys.stdout.write(f"{path}\n")


def take_all(folder: Path) -> list[Path]:
    """Every scene, in both themes, wide and narrow."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    with open_browser() as browser:
        for passcode in ("", PASSCODE):
            scenes = [scene for scene in SCENES if scene.passcode == bool(passcode)]
            with demo_server(PAIGE_PASSCODE=passcode) as server:
                taken += take_scenes(browser, server, scenes, folder)
        with demo_server() as server:
            taken += take_scenes(browser, server, SETTINGS_SCENES, folder)
        with demo_server() as server:
            fill(HOME)
            taken += take_scenes(browser, server, MEMORY_SCENES, folder)
        with demo_server() as server:
            plan_scenes.prepare(server)
            taken += take_scenes(browser, server, plan_scenes.PLAN_SCENES, folder)
        with demo_server() as server:
            study_scenes.prepare(HOME, system_clock())
            study_scenes.begin(server)
            taken += take_scenes(browser, server, study_scenes.STUDY_SCENES, folder)
        with demo_server() as server:
            guard_scenes.fill(HOME, system_clock())
            taken += take_scenes(browser, server, guard_scenes.GUARD_SCENES, folder)
        with demo_server() as server:
            taken += take_scenes(browser, server, orchestra_scenes.EMPTY_SCENES, folder)
            orchestra_scenes.fill(HOME, system_clock())
            taken += take_scenes(browser, server, orchestra_scenes.ORCHESTRA_SCENES, folder)
        with demo_server() as server:
            taken += take_scenes(browser, server, trace_scenes.EMPTY_SCENES, folder)
            trace_scenes.fill(HOME, system_clock())
            taken += take_scenes(browser, server, trace_scenes.TRACE_SCENES, folder)
        with demo_server() as server:
            finding_scenes.fill(HOME, system_clock())
            taken += take_scenes(browser, server, finding_scenes.FINDING_SCENES, folder)
    return taken


def take_scenes(
    browser: Browser, server: Live, scenes: Iterable[Scene], folder: Path
) -> Iterator[Path]:
    """Some scenes, in both themes, wide and narrow."""
    for scene, theme, width in product(scenes, THEMES, WIDTHS):
        path = folder / f"{scene.name}-{theme}-{width}.png"
        take(browser, server, scene, theme, width, path)
        yield path


def take_for_readme(folder: Path) -> list[Path]:
    """Home in both themes."""
    folder.mkdir(parents=True, exist_ok=True)
    (home,) = (scene for scene in SCENES if scene.name == "home")
    paths = [folder / f"home-{theme}.png" for theme in THEMES]
    with open_browser() as browser, demo_server() as server:
        for theme, path in zip(THEMES, paths, strict=True):
            take(browser, server, home, theme, 1280, path, height=README_HEIGHT)
    return paths


def take(
    browser: Browser,
    server: Live,
    scene: Scene,
    theme: str,
    width: int,
    path: Path,
    *,
    height: int | None = None,
) -> None:
    """One picture, of the window as a person sees it."""
    with browser.new_context(
        viewport={"width": width, "height": height or WIDTHS[width]},
        color_scheme=theme,  # type: ignore[arg-type]  # one of THEMES
        reduced_motion="reduce",
    ) as context:
        page = context.new_page()
        scene.show(page, server.url)
        page.screenshot(path=path)


@contextmanager
def demo_server(**settings: str) -> Iterator[Live]:
    """A server in a home and a project of its own."""
    HOME.mkdir(mode=0o700)  # it must be new: it is removed at the end
    project = HOME / "my-project"
    project.mkdir()
    (project / "README.md").write_text("# My project\n", encoding="utf-8")
    try:
        with live_paige(HOME, PROJECT_DIR=str(project), **settings) as live:
            yield live
    finally:
        shutil.rmtree(HOME, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
