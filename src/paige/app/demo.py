"""The sample project people try Paige with: a copy of their own, made once."""

import shutil
from pathlib import Path

from paige.base.files import write_error
from paige.base.paths import shipped


def sample_project(data_dir: Path) -> Path:
    """The person's copy of the sample project; what they changed in it stays."""
    place = data_dir / "demo" / "project"
    if place.exists():
        return place
    half = place.with_name(".project-being-made")
    try:
        shutil.rmtree(half, ignore_errors=True)
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(shipped("sample/project"), half, ignore=ignore)
        half.rename(place)
    except OSError as error:
        raise write_error(place, error) from error
    return place
