"""Which files become pages of the site, and where each of them lies in it."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# Pages that do not lie in `docs`, and the home, which has another name in a site.
BESIDE = {
    "docs/README.md": "index.html",
    "README.md": "about.html",
    "CHANGELOG.md": "changelog.html",
    "CONTRIBUTING.md": "contributing.html",
    "web/README.md": "web-app.html",
}
HOME = "docs/README.md"
PICTURES = {".svg", ".png", ".jpg", ".webp"}


def pages_of(root: Path) -> dict[str, str]:
    """Every page: its path from the root of the repository, and its address in the site."""
    found = {name: address for name, address in BESIDE.items() if (root / name).is_file()}
    for path in sorted((root / "docs").rglob("*.md")):
        name = path.relative_to(root).as_posix()
        found.setdefault(name, name.removeprefix("docs/").removesuffix(".md") + ".html")
    return found


def pictures_of(root: Path) -> Iterator[tuple[Path, str]]:
    """Every picture of the docs with its address in the site."""
    for path in sorted((root / "docs").rglob("*")):
        if path.suffix in PICTURES:
            yield path, path.relative_to(root / "docs").as_posix()


def joined(page: str, target: str) -> str | None:
    """The path from the root that a link of a page means; nothing when it leads out of the tree."""
    parts: list[str] = []
    for part in (*PurePosixPath(page).parent.parts, *target.split("/")):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def up(address: str) -> str:
    """The way from a page to the root of the site: nothing, or `../` for each folder."""
    return "../" * address.count("/")
