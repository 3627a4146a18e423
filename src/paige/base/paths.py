"""Where things live: home, configuration, shipped content, and the layered lookup over them.

Nothing here falls back to the working directory: without a home and without the variable that
replaces it, the answer is an error that names the variable.
"""

from collections.abc import Mapping
from pathlib import Path

from paige.base.errors import BadInput, NotFound

SHIPPED = Path(__file__).resolve().parent.parent / "shipped"


def home_dir(environ: Mapping[str, str], *, instead: str) -> Path:
    """The person's home; `instead` is the variable that would make it unnecessary."""
    home = environ.get("HOME") or environ.get("USERPROFILE")
    if not home:
        raise BadInput(
            f"`HOME` is not set, so there is no place for what `{instead}` names",
            hint=f"Set `{instead}` to an absolute path, or set `HOME`.",
        )
    path = Path(home)
    if not path.is_absolute():
        raise BadInput(f"`HOME` is `{home}`, which is not an absolute path")
    return path


def config_dir(environ: Mapping[str, str], *, instead: str) -> Path:
    """The folder of shared configuration: `<XDG config>/ai`."""
    given = environ.get("XDG_CONFIG_HOME", "")
    # The XDG specification says a relative value is invalid and must be ignored.
    base = (
        Path(given) if Path(given).is_absolute() else home_dir(environ, instead=instead) / ".config"
    )
    return base / "ai"


def layers(project: Path | None, config: Path | None) -> tuple[Path, ...]:
    """The folders that configuration is looked up in, strongest first: project, global, shipped."""
    own = (project / ".ai",) if project else ()
    shared = (config,) if config else ()
    return (*own, *shared, SHIPPED)


def all_layered(folder: str, where: tuple[Path, ...]) -> dict[str, Path]:
    """Every entry of `folder` by file name, each from the strongest layer that has it."""
    found: dict[str, Path] = {}
    for layer in where:
        directory = layer / folder
        for path in sorted(directory.iterdir()) if directory.is_dir() else ():
            found.setdefault(path.name, path)
    return found


def shipped(name: str) -> Path:
    """A file or folder inside the installed package."""
    path = SHIPPED / name
    if not path.exists():
        raise NotFound(
            f"Paige's own `{name}` is missing", hint="Install Paige again: `make install`."
        )
    return path
