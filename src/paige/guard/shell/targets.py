"""Where a path lies: what would be lost there. Built-in modules only; only links are looked up.

`root` is the whole disk, `home` the person's folder or all of somebody's, `system` what the machine
runs on, `device` a raw device, `project` the project as a whole, `inside` something in it, `temp` a
scratch folder, `protected` what Paige itself rests on, `own` its code where that is the project,
`secret` keys and passwords, `secrets` a folder of them, `dotenv` the project's own passwords,
`profile` what runs at every start of a shell or a program, `repository`
what git keeps its history in, `outside` anything else, `unknown` what nobody knows beforehand.
"""

from paige.guard.fast.jsonic import lists_of
from paige.guard.fast.paths import real_path
from paige.guard.fast.place import Place
from paige.guard.shell.script import UNKNOWN

_LISTS = lists_of("targets")

_SYSTEM = tuple(_LISTS["system"])
_SYSTEM_FOLDERS = (
    *(f"{each.lower()}/" for each in _SYSTEM),
    "/c:/windows/", "/c:/program files/", "/c:/program files (x86)/", "/c:/programdata/",
)  # fmt: skip
_HOMES = ("/home", "/Users", "/root")
_TEMP = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders")
_QUIET_DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/stdin")
_SECRETS = tuple(_LISTS["secrets"])
# Names that a pattern such as `.e*` may stand for.
_WELL_KNOWN = tuple(_LISTS["well_known"])
_MOST_MEANT = 40
_MEANT = ("secret", "dotenv", "protected")
_PROFILES = tuple(_LISTS["profiles"])
_REPOSITORY = tuple(_LISTS["repository"])
_DOTENV = ("*/.env", "*/.env.*", "*/.env?", "*/.env*local")
_NO_SECRETS = tuple(_LISTS["no_secrets"])
# What a link may lead to that its own name does not say.
_BEHIND_LINKS = ("secret", "secrets", "dotenv", "profile", "protected", "own", "repository")
# Paige's own code, where a checkout of it runs: patterns that end like this.
CODE = "/**"


_sorted: dict[tuple[str, ...], tuple[tuple, ...]] = {}
_known: dict[tuple, tuple[str, ...]] = {}
_MOST_KNOWN = 500


def places_of(path: str, place: Place, protected: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of the places a path lies at; with unknown parts, of every place it may lie at."""
    if UNKNOWN not in path:
        if UNKNOWN not in place.cwd or path[:1] in ("/", "~"):
            return _places(path, place, protected)
        return _somewhere(path, place, protected)
    if path[0] != UNKNOWN and path[:1] not in ("/", "~") and UNKNOWN in place.cwd:
        return _somewhere(path.replace(UNKNOWN, ""), place, protected)
    found = ["unknown"]
    # Whatever is unknown may be empty, and then a folder above is meant.
    for name in _places(path.replace(UNKNOWN, ""), place, protected):
        if name not in ("inside", "outside", "temp"):
            found.append(name)
    if "secret" not in found and "secret" in _places(path.replace(UNKNOWN, "x"), place, protected):
        found.append("secret")  # something in a folder of secrets
    return tuple(found)


def _somewhere(path: str, place: Place, protected: tuple[str, ...]) -> tuple[str, ...]:
    """A path below a folder nobody knows: only its name says anything."""
    known = place.at("/?/?")
    found = [each for each in _places(path, known, protected) if each in ("secret", "protected")]
    return ("unknown", *found)


def holds(path: str, place: Place, protected: tuple[str, ...]) -> bool:
    """Whether a folder is one that protected files lie in: with it they would be gone, too."""
    if UNKNOWN in path:
        return False
    full = full_path(path, place)
    while full.rpartition("/")[2] in ("*", ".*", "**"):
        full = full.rpartition("/")[0] or "/"
    # Where Paige's code is the project, its folders are the project's.
    own = f"{place.root}/" if place.root else UNKNOWN
    return any(
        _fits_folder(full, each)
        for each in protected
        if not (each.endswith(CODE) and each.startswith(own))
    )


def _fits_folder(full: str, pattern: str) -> bool:
    """Whether a folder is above what a pattern is about; `*/ai/…` says too little of a folder."""
    above = pattern.removesuffix("/*").rpartition("/")[0]
    while above and above != "*":
        told = "/." in above or not pattern.startswith("*")
        if told and "*" not in above.rpartition("/")[2] and matches(full, above):
            return True
        above = above.rpartition("/")[0]
    return False


def full_path(path: str, place: Place) -> str:
    """A path from the root, with `.` and `..` taken away."""
    if path == "~" or path.startswith("~/"):
        path = place.home + path[1:]
    elif path.startswith("~"):
        path = f"/home/{path[1:]}"  # somebody else's
    if not path.startswith("/"):
        path = f"{place.cwd}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/" + "/".join(parts)


def matches(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern with `*`, which is anything, slashes too."""
    if "*" not in pattern:
        return path == pattern
    first, *middle, last = pattern.split("*")
    if len(path) < len(first) + len(last) or not path.startswith(first) or not path.endswith(last):
        return False
    at, end = len(first), len(path) - len(last)
    for part in middle:
        at = path.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


def fits_word(text: str, pattern: str) -> bool:
    """Whether a word fits a pattern: `*` is any letters, `?` one."""
    if "*" not in pattern and "?" not in pattern:
        return text == pattern
    return fits(text, pattern, "*", _same_sign)


def _same_sign(sign: str, wanted: str) -> bool:
    return wanted == "?" or sign == wanted


def fits(items, pattern, star: str, same) -> bool:
    """Whether items fit a pattern in which `star` is any number of them; items times pattern.

    Only the last star can be wrong about how much it takes, so no other is ever tried again.
    """
    at = place = mark = 0
    back = -1
    while at < len(items):
        if place < len(pattern) and pattern[place] == star:
            back, mark = place, at
            place += 1
        elif place < len(pattern) and same(items[at], pattern[place]):
            at += 1
            place += 1
        elif back >= 0:
            mark += 1
            at, place = mark, back + 1
        else:
            return False
    return all(each == star for each in pattern[place:])


def _places(path: str, place: Place, protected: tuple[str, ...]) -> tuple[str, ...]:
    """The places of a known path; a command's words are asked about many times over."""
    key = (path, place.cwd, place.root, place.home, protected)
    known = _known.get(key)
    if known is None:
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        known = _known[key] = _looked_up(path, place, protected)
    return known


def _looked_up(path: str, place: Place, protected: tuple[str, ...]) -> tuple[str, ...]:
    found = _plain_places(path, place, protected)
    if ("*" in path or "?" in path or "[" in path) and "secret" not in found:
        for meant in _meant(path):
            more = _plain_places(meant, place, protected)
            found = (*(each for each in more if each in _MEANT), *found)
    return found


def _meant(path: str) -> list[str]:
    """The secrets that a pattern of the shell may stand for, part by part."""
    made = [""]
    changed = False
    for part in path.split("/"):
        names = [part]
        if ("*" in part or "?" in part or "[" in part) and part.strip("*?.[]!^"):
            names = [each for each in _WELL_KNOWN if _globs(each, part)] or [part]
            changed = changed or names != [part]
        made = [f"{one}/{name}" for one in made for name in names][:_MOST_MEANT]
    return [each[1:] for each in made] if changed else []


def _globs(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern of the shell; `[…]` is taken for any sign."""
    if name[:1] == "." and pattern[:1] != ".":
        return False
    while "[" in pattern and "]" in pattern.partition("[")[2]:
        before, _, rest = pattern.partition("[")
        pattern = f"{before}?{rest.partition(']')[2]}"
    return fits_word(name, pattern)


def _plain_places(path: str, place: Place, protected: tuple[str, ...]) -> tuple[str, ...]:
    full = full_path(path, place)
    found = _by_name(full, place, protected)
    real = full if place.apart else real_path(full)
    if real != full:
        behind = _by_name(real, place, protected)
        found += [each for each in behind if each in _BEHIND_LINKS and each not in found]
    # `folder/*` and `folder/.*` are all that is in the folder.
    whole = full
    while whole.rpartition("/")[2] in ("*", ".*", "{*,.*}", "?*", "**", ".[!.]*"):
        whole = whole.rpartition("/")[0] or "/"
    return (*found, _where(whole, place))


def _by_name(full: str, place: Place, protected: tuple[str, ...]) -> list[str]:
    """The places that a path lies at by its names alone."""
    found: list[str] = []
    if _fits_any(full, protected):
        found.append("own" if _is_own_code(full, place, protected) else "protected")
    secret = _fits_any(full, _SECRETS)
    if secret and not _fits_any(full, _NO_SECRETS):
        found.append("secret")
    elif "/." in full and not secret and _fits_any(f"{full}/x", _SECRETS):
        found.append("secrets")  # a folder of them
    if _fits_any(full, _DOTENV) and not _fits_any(full, _NO_SECRETS):
        found.append("dotenv")
    if _fits_any(full, _PROFILES):
        found.append("profile")
    if _fits_any(full, _REPOSITORY):
        found.append("repository")
    return found


def _is_own_code(full: str, place: Place, protected: tuple[str, ...]) -> bool:
    """Whether a protected path is nothing but code of Paige that is the project itself."""
    if not place.root or not _under(full, place.root):
        return False
    plain = full.lower()
    return not any(matches(plain, each.lower()) for each in protected if not each.endswith(CODE))


def _fits_any(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether a path fits one of many patterns; they are sorted once by what they ask for.

    Capitals do not count: on many disks `.ENV` is `.env`.
    """
    path = path.lower()
    kinds = _sorted.get(patterns)
    if kinds is None:
        kinds = _sorted[patterns] = _by_kind(patterns)
    ends, starts, parts, pairs, rest = kinds
    return (
        path.endswith(ends)
        or path.startswith(starts)
        or any(each in path for each in parts)
        or any(each in path and path.endswith(end) for each, end in pairs)
        or any(matches(path, each) for each in rest)
    )


def _by_kind(patterns: tuple[str, ...]) -> tuple[tuple, ...]:
    """Patterns that ask for an end, for a start, for something in between, and the others."""
    ends, starts, parts, pairs, rest = [], [], [], [], []
    for each in map(str.lower, patterns):
        stars = each.count("*")
        if stars == 1 and each[0] == "*":
            ends.append(each[1:])
        elif stars == 1 and each[-1] == "*":
            starts.append(each[:-1])
        elif stars == 2 and each[0] == each[-1] == "*":
            parts.append(each[1:-1])
        elif stars == 2 and each[0] == "*":
            pairs.append(tuple(each[1:].split("*")))  # the end may not lie before the part: rare
        else:
            rest.append(each)
    return tuple(ends), tuple(starts), tuple(parts), tuple(pairs), tuple(rest)


def _where(whole: str, place: Place) -> str:
    if whole == "/":
        return "root"
    if _is_home(whole, place):
        return "home"
    if whole.startswith("/dev/"):
        quiet = whole in _QUIET_DEVICES or whole.startswith("/dev/fd/")
        return "quiet" if quiet else "device"
    inside = _in_project(whole, place)
    if inside:
        return inside
    if any(_under(whole, each) and whole != each for each in _TEMP):
        return "temp"
    return _on_machine(whole, place)


def _in_project(whole: str, place: Place) -> str:
    if not place.root or place.root in ("/", place.home):
        return ""
    if whole == place.root or place.root.startswith(f"{whole}/"):
        return "project"
    return "inside" if _under(whole, place.root) else ""


def _on_machine(whole: str, place: Place) -> str:
    if place.home and _under(whole, place.home):
        return "outside"  # also where somebody's home is the machine's, as for root
    # A folder at the root of the disk is the machine's, whatever it is called.
    system = whole.count("/") == 1 or whole.lower().startswith(_SYSTEM_FOLDERS)
    return "system" if system else "outside"


def _is_home(whole: str, place: Place) -> bool:
    if (
        whole in _HOMES
        or whole == place.home
        or (place.home and place.home.startswith(f"{whole}/"))
    ):
        return True
    above, _, name = whole.rpartition("/")
    return above in ("/home", "/Users") and bool(name)


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
