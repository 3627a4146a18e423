"""Where a path lies: what would be lost there. Built-in modules only; nothing is looked up on disk.

`root` is the whole disk, `home` the person's folder or all of somebody's, `system` what the machine
runs on, `device` a raw device, `project` the project as a whole, `inside` something in it, `temp` a
scratch folder, `protected` what Paige itself rests on, `secret` keys and passwords, `outside`
anything else, `unknown` what nobody knows beforehand.
"""

from paige.guard.fast.place import Place
from paige.guard.shell.script import UNKNOWN

_SYSTEM = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/run",
    "/sbin", "/srv", "/sys", "/usr", "/var", "/System", "/Library", "/Applications", "/private",
    "/Volumes", "/mnt", "/media", "/snap", "/nix",
)  # fmt: skip
_HOMES = ("/home", "/Users", "/root")
_TEMP = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders")
_QUIET_DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/stdin")
_SECRETS = (
    ".ssh/*", "*/.ssh/*", "*.pem", "*.key", "*.p12", "*.pfx", "*/.aws/*", "*/.gnupg/*", "*/.netrc",
    "*/.kube/config", "*/.docker/config.json", "*/.npmrc", "*/.pypirc", "*/.env", "*/.env.*",
    "/etc/shadow", "/etc/sudoers", "*/id_rsa*", "*/id_ed25519*", "*/id_ecdsa*", "*/id_dsa*",
    "*/.git-credentials", "*/.config/gcloud/*", "*/.azure/*", "*/.config/gh/hosts.yml",
    "*/.password-store/*", "*/.vault-token", "*/.claude/.credentials.json", "*/.codex/auth.json",
)  # fmt: skip
_NO_SECRETS = (
    "*.pub", "*/.env.example", "*/.env.sample", "*/.env.template", "*/known_hosts", "*/.ssh/config",
)  # fmt: skip


def places_of(path: str, place: Place, protected: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of the places a path lies at; with unknown parts, of every place it may lie at."""
    if UNKNOWN not in path:
        return _places(path, place, protected)
    found = ["unknown"]
    # Whatever is unknown may be empty, and then a folder above is meant.
    for name in _places(path.replace(UNKNOWN, ""), place, protected):
        if name not in ("inside", "outside", "temp"):
            found.append(name)
    return tuple(found)


def full_path(path: str, place: Place) -> str:
    """A path from the root, with `.` and `..` taken away."""
    if path == "~" or path.startswith("~/"):
        path = place.home + path[1:]
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


def _places(path: str, place: Place, protected: tuple[str, ...]) -> tuple[str, ...]:
    full = full_path(path, place)
    # `folder/*` and `folder/.*` are all that is in the folder.
    whole = full
    while whole.rpartition("/")[2] in ("*", ".*", "{*,.*}", "?*", "**", ".[!.]*"):
        whole = whole.rpartition("/")[0] or "/"
    found: list[str] = []
    if any(matches(full, each) for each in protected):
        found.append("protected")
    if any(matches(full, each) or matches(path, each) for each in _SECRETS) and not any(
        matches(full, each) for each in _NO_SECRETS
    ):
        found.append("secret")
    found.append(_where(whole, place))
    return tuple(found)


def _where(whole: str, place: Place) -> str:
    if whole == "/":
        return "root"
    if _is_home(whole, place):
        return "home"
    if whole.startswith("/dev/"):
        quiet = whole in _QUIET_DEVICES or whole.startswith("/dev/fd/")
        return "quiet" if quiet else "device"
    if any(_under(whole, each) and whole != each for each in _TEMP):
        return "temp"
    if place.root and place.root not in ("/", place.home):
        if whole == place.root or place.root.startswith(f"{whole}/"):
            return "project"
        if _under(whole, place.root):
            return "inside"
    # A folder at the root of the disk is the machine's, whatever it is called.
    system = whole.count("/") == 1 or any(_under(whole, each) for each in _SYSTEM)
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
