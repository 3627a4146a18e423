"""Writes down the licences of the packages that the built web app is made of.

    python tools/licences.py

Each text stands once, below the names of the packages it came with. Run it when a package is added
to the web app; a test says so. The packages have to be installed (`make web`).
"""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "paige" / "shipped" / "licences" / "web-packages.txt"
LINE = "-" * 80
NAMES = ("licen", "copying", "unlicense")


def packages() -> dict[str, str]:
    """The packages that end up in the web app, by their folder, with the licence they name."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    left_out = ("dev", "optional", "devOptional", "peer")
    return {
        folder: str(facts.get("license", "unknown"))
        for folder, facts in lock["packages"].items()
        if folder and not any(facts.get(each) for each in left_out)
    }


def name_of(folder: str) -> str:
    """`@scope/name` from the folder a package lies in."""
    return folder.rpartition("node_modules/")[2]


def text_of(folder: str, licence: str) -> str:
    """The text that came with a package, or that it came with none."""
    place = ROOT / "web" / folder
    found = [each for each in sorted(place.iterdir()) if each.name.lower().startswith(NAMES)]
    if not found:
        return f"(no text came with it; it names the licence {licence})"
    return "\n".join(line.rstrip() for line in found[0].read_text("utf-8").strip().splitlines())


def main() -> None:
    """Write the file."""
    texts: dict[str, set[str]] = {}
    for folder, licence in packages().items():
        texts.setdefault(text_of(folder, licence), set()).add(name_of(folder))
    blocks = [
        f"{', '.join(sorted(names))}\n\n{text}"
        for text, names in sorted(texts.items(), key=lambda each: min(each[1]))
    ]
    said = "The web app of Paige contains these packages, each under its own licence.\n"
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(f"\n\n{LINE}\n\n".join([said.strip(), *blocks]) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(packages())} packages, {len(texts)} texts")


if __name__ == "__main__":
    main()
