"""What a path leads to, however it is spelt: addresses, home folders, links.

This page is on the hook's fast path: built-in modules only.
"""

from paige.guard.fast.system import system

_MOST_LINKS = 40
_MOST_MEANT = 64
_HOME_WORDS = ("~", "$HOME", "${HOME}", "%USERPROFILE%", "%HOME%", "$env:USERPROFILE", "$env:HOME")


def meant_paths(path: str, home: str) -> tuple[str, ...]:
    """The paths somebody may mean: an address of a file, the home folder, either kind of slash."""
    path = _from_address(path.strip())
    for word in _HOME_WORDS:
        if path.startswith(word) and path[len(word) : len(word) + 1] in ("", "/", "\\"):
            path = f"{home}{path[len(word) :]}" if home else path
            break
    found = [path]
    if "\\" in path:
        # A backslash is a letter here and a separator elsewhere; a drive's letter says nothing.
        found.append(path.replace("\\", "/"))
    if "{" in path:
        found = [each for one in found for each in _without_braces(one)]
    return tuple(dict.fromkeys(found))


def real_path(path: str) -> str:
    """Where a path from the root leads when its links are followed; what is not there stays."""
    left = [part for part in path.split("/") if part]
    left.reverse()
    made = ""
    links = 0
    while left:
        part = left.pop()
        if part == ".":
            continue
        if part == "..":
            made = made.rpartition("/")[0]
            continue
        tried = f"{made}/{part}"
        try:
            leads = system.readlink(tried)
        except (FileNotFoundError, NotADirectoryError):
            return "/".join((tried, *reversed(left)))
        except (OSError, ValueError, AttributeError):
            made = tried  # it is there and no link, or nobody may look
            continue
        links += 1
        if links > _MOST_LINKS:
            return "/".join((tried, *reversed(left)))
        if leads.startswith("/"):
            made = ""
        left += [each for each in reversed(leads.split("/")) if each]
    return made or "/"


def _from_address(path: str) -> str:
    """The path of a `file:` address; anything else as it is."""
    if path[:5].lower() != "file:":
        return path
    rest = path[5:]
    if rest.startswith("//"):
        host, slash, tail = rest[2:].partition("/")
        rest = f"{slash}{tail}" if host.lower() in ("", "localhost", "127.0.0.1") else rest[1:]
    return _decoded(rest.partition("#")[0].partition("?")[0])


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    first, *rest = text.split("%")
    made = bytearray(first.encode("utf-8", "surrogatepass"))
    for part in rest:
        try:
            made.append(int(part[:2], 16))
            part = part[2:]
        except ValueError:
            made += b"%"
        made += part.encode("utf-8", "surrogatepass")
    return made.decode("utf-8", "replace")


def _without_braces(path: str) -> list[str]:
    """The paths that `{a,b}` stands for, and the path as it is."""
    found, done = [path], [path]
    while found and len(done) < _MOST_MEANT:
        each = found.pop()
        before, brace, rest = each.rpartition("{")
        inside, close, after = rest.partition("}")
        if brace and close:
            made = [f"{before}{one}{after}" for one in inside.split(",")]
            found += made
            done += made
    return done[:_MOST_MEANT]
