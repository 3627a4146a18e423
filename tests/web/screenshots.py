"""Pictures of everything the app shows: `python -m tests.web.screenshots [scene …]`.

Names choose scenes that begin with them.

With `--readme` it takes the pictures of the README instead. The server runs in a home that is
made for the pictures, so that they show no path of the machine they are taken on.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, expect

from paige.base.clock import system_clock
from tests.live import Live, live_paige
from tests.web import (
    account_scenes,
    coach_scenes,
    finding_scenes,
    guard_scenes,
    orchestra_scenes,
    plan_scenes,
    study_scenes,
    trace_scenes,
)
from tests.web.browser import open_browser
from tests.web.coach_site import coach_site
from tests.web.memory_scenes import MEMORY_SCENES, fill
from tests.web.scenes import PASSCODE, SCENES, THEMES, WIDTHS, Scene
from tests.web.settings_scenes import SETTINGS_SCENES
from tests.web.test_coach_pages import Model

ROOT = Path(__file__).parents[2]
HOME = Path(tempfile.gettempdir()) / "demo-home"
HOME_HEIGHT = 1160  # the doors and the beginning of what is set up
PATIENCE_MS = 30_000


def main(arguments: list[str]) -> None:
    """Take the pictures and print where they are."""
    expect.set_options(timeout=PATIENCE_MS)
    if arguments == ["--readme"]:
        taken = take_for_readme(ROOT / "docs" / "pictures")
    else:
        taken = take_all(ROOT / "screenshots", tuple(arguments) or ("",))
    for path in taken:
        sys.stdout.write(f"{path}\n")


def take_all(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """Every scene that is wanted, in both themes, wide and narrow."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []

    def add(url: str, scenes: Iterable[Scene]) -> None:
        wanted = (scene for scene in scenes if scene.name.startswith(names))
        for scene, theme, width in product(wanted, THEMES, WIDTHS):
            path = folder / f"{scene.name}-{theme}-{width}.png"
            take(browser, url, scene, theme, width, path)
            taken.append(path)

    with open_browser() as browser:
        for passcode in ("", PASSCODE):
            scenes = [scene for scene in SCENES if scene.passcode == bool(passcode)]
            with demo_server(PAIGE_PASSCODE=passcode) as server:
                add(server.url, scenes)
        with demo_server() as server:
            add(server.url, SETTINGS_SCENES)
        with demo_server() as server:
            fill(HOME)
            add(server.url, MEMORY_SCENES)
        with demo_server() as server:
            plan_scenes.prepare(server)
            add(server.url, plan_scenes.PLAN_SCENES)
        with demo_server() as server:
            study_scenes.prepare(HOME, system_clock())
            study_scenes.begin(server)
            add(server.url, study_scenes.STUDY_SCENES)
        with demo_server() as server:
            guard_scenes.fill(HOME, system_clock())
            add(server.url, guard_scenes.GUARD_SCENES)
        with demo_server() as server:
            add(server.url, orchestra_scenes.EMPTY_SCENES)
            orchestra_scenes.fill(HOME, system_clock())
            add(server.url, orchestra_scenes.ORCHESTRA_SCENES)
        with demo_server() as server:
            add(server.url, trace_scenes.EMPTY_SCENES)
            trace_scenes.fill(HOME, system_clock())
            add(server.url, trace_scenes.TRACE_SCENES)
        with demo_server() as server:
            finding_scenes.fill(HOME, system_clock())
            add(server.url, finding_scenes.FINDING_SCENES)
        with demo_server(PAIGE_ACCOUNTS="on") as server:
            account_scenes.fill(HOME)
            add(server.url, account_scenes.ACCOUNT_SCENES)
        with coached_project() as url:
            add(url, coach_scenes.COACH_SCENES)
    return taken


def take_for_readme(folder: Path) -> list[Path]:
    """Home in both themes, and one page behind each door."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    with open_browser() as browser:

        def add(url: str, scenes: Sequence[Scene], name: str, path: Path, theme: str) -> None:
            (scene,) = (scene for scene in scenes if scene.name == name)
            height = HOME_HEIGHT if name == "home" else WIDTHS[1280]
            take(browser, url, scene, theme, 1280, path, height=height)
            make_small(path)
            taken.append(path)

        def door(url: str, scenes: Sequence[Scene], name: str) -> None:
            add(url, scenes, name, folder / f"{name.partition('-')[0]}-light.png", "light")

        with demo_server() as server:
            for theme in THEMES:
                add(server.url, SCENES, "home", folder / f"home-{theme}.png", theme)
        with demo_server() as server:
            plan_scenes.prepare(server)
            door(server.url, plan_scenes.PLAN_SCENES, "plan-judging")
        with demo_server() as server:
            study_scenes.prepare(HOME, system_clock())
            study_scenes.begin(server)
            door(server.url, study_scenes.STUDY_SCENES, "study-course")
        with coached_project() as url:
            door(url, coach_scenes.COACH_SCENES, "coach-editor")
        with demo_server() as server:
            guard_scenes.fill(HOME, system_clock())
            door(server.url, guard_scenes.GUARD_SCENES, "guard-decisions")
    return taken


def make_small(path: Path) -> None:
    """Pages have few colours: a palette of 256 looks the same in a fifth of the bytes."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256).save(path, optimize=True)


def take(
    browser: Browser,
    url: str,
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
        scene.show(page, url)
        page.wait_for_load_state("networkidle")  # what comes late is there too
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


@contextmanager
def coached_project() -> Iterator[str]:
    """A server that coaches on a small shop, in the middle of a session."""
    HOME.mkdir(mode=0o700)
    try:
        with coach_site(HOME, Model()) as site:
            coach_scenes.fill_project(site)
            coach_scenes.fill_history(site)
            coach_scenes.begin(site)
            yield site.url
    finally:
        shutil.rmtree(HOME, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
