"""Secrets that leave: a command line that names a secret and a program that sends. Lean."""

from paige.guard.fast.place import Place
from paige.guard.shell.matcher import has, parsed
from paige.guard.shell.targets import places_of

_SOCKETS = ("nc", "ncat", "netcat", "socat", "telnet", "cryptcat")
_SENDING_PLACES = ("/dev/tcp/", "/dev/udp/")


def leaking(acts: list, place: Place, flows: dict) -> str:
    """The secret that would be sent away; empty when there is none."""
    if not flows:
        return ""
    senders = flows["senders"]
    for act in acts:
        if _name(act.simple) in _SOCKETS and any(_shell(feed) for feed in act.simple.feeds):
            return "what a shell says"
    if not any(_sends(_name(act.simple), act.simple, senders) for act in acts):
        return ""
    for act in acts:
        keys = flows["keys"] if _name(act.simple) in senders else frozenset()
        secret = _secret(act.simple, place, keys, flows["names"])
        if secret:
            return secret
    return ""


def sent(acts: list, flows: dict) -> str:
    """What is said of a secret that one command shows where another one sends; else empty."""
    senders = flows.get("senders", {})
    shown = next((act.simple.words for act in acts if act.simple.words), ())
    names = ("aws", "gsutil", "rclone", "azcopy")  # these show and send
    sends = any(
        _name(act.simple) not in names and _sends(_name(act.simple), act.simple, senders)
        for act in acts
    )
    return " ".join(shown[:4]) if sends else ""


def _shell(words: tuple[str, ...]) -> bool:
    """Whether a command is a shell that somebody can type into."""
    name = words[0].rpartition("/")[2] if words else ""
    return name in ("sh", "bash", "zsh", "dash", "ksh") and (len(words) == 1 or "-i" in words)


def _name(simple) -> str:
    return simple.words[0].rpartition("/")[2] if simple.words else ""


def _sends(name: str, simple, senders: dict) -> bool:
    if any(target.startswith(_SENDING_PLACES) for _, target in simple.redirects):
        return True
    wanted = senders.get(name)
    if wanted is None:
        return False
    if not wanted:
        return True
    options = parsed(simple.words, {"values": wanted}).options
    return any(has(options, each) for each in wanted)


def _secret(simple, place: Place, keys: frozenset, names: frozenset) -> str:
    """A word that names a secret, unless an option says it is only a key to get in with."""
    before = ""
    for word in simple.words[1:]:
        if (before not in keys or "@" in word) and _names_secret(word, place, names):
            return word
        before = word
    return next(
        (target for _, target in simple.redirects if _names_secret(target, place, names)), ""
    )


def _names_secret(word: str, place: Place, names: frozenset) -> bool:
    for part in (word, word.partition("=")[2], word.partition("@")[2], word.partition(":")[2]):
        if not part or "//" in part:
            continue
        name = part.rpartition("/")[2]
        if name in names or name.startswith(".env") or part.partition("/")[0] in names:
            return True
        path = part.strip('@"').rstrip("/")
        # A folder of secrets counts like what is in it.
        if path and (
            "secret" in places_of(path, place) or "secret" in places_of(f"{path}/x", place)
        ):
            return True
    return False
