"""A home in which every door was used: what pages show when they are full."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paige.base.clock import system_clock
from tests.live import Live, live_paige
from tests.server.plan_window import teacher_at
from tests.web import guard_scenes, memory_scenes, orchestra_scenes, plan_scenes, study_scenes


@contextmanager
def full_desk(home: Path) -> Iterator[Live]:
    """A server with memories, lessons, courses, decisions and an orchestra."""
    project = home / "my-project"
    project.mkdir()
    (project / "README.md").write_text("# My project\n", encoding="utf-8")
    now = system_clock()
    study_scenes.prepare(home, now)
    with live_paige(home, PROJECT_DIR=str(project)) as live:
        memory_scenes.fill(home)
        guard_scenes.fill(home, now)
        orchestra_scenes.fill(home, now, 20)
        with teacher_at(live) as teacher:
            plan_scenes.write(teacher, plan_scenes.MARKED, plan_scenes.marked_lesson(teacher))
            plan_scenes.lead_to(teacher, plan_scenes.JUDGING, plan_scenes.JUDGE)
        study_scenes.begin(live)
        yield live
