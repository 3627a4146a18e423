"""What is refused before anything is parsed, and how much is looked at. Built-in modules only."""

MOST_SIGNS = 10_000  # more is never allowed without a question
MOST_READ = 30_000  # more is not read
LONGEST = 1_000_000  # more is refused
MOST_DEPTH = 32
# The parser takes time and memory by the square of these.
MOST_PIPES = 1000
MOST_HEREDOCS = 150
MOST_REDIRECTS = 4000
# Signs that change what a person sees without being seen.
_HIDDEN = frozenset(
    "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufeff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
)
# Joiners belong to some scripts and to emoji: there they stand between signs beyond ASCII.
_JOINERS = "\u200c\u200d"
_CONTROLS = (*(chr(code) for code in range(32) if chr(code) not in "\t\n"), "\x7f")


def refusal(command: str) -> tuple[str, str, str] | None:
    """Decision, rule and reason where a command is refused unread; nothing otherwise."""
    if not command or command.isspace():
        return "deny", "shell.no-command", "There is no command to judge."
    if len(command) > LONGEST:
        reason = f"It is longer than {LONGEST} signs; put it into a file."
        return "deny", "shell.too-long", reason
    if _hides(command):
        return "deny", "shell.hidden-signs", "It holds signs that nobody can see."
    if _too_deep(command):
        return "deny", "shell.too-deep", "It is nested too deeply to be judged."
    if _too_much(command):
        return "deny", "shell.too-much", "It holds more pipes or texts than can be read in time."
    return None


def _too_much(command: str) -> bool:
    """Whether something is there so often that reading it would take too long."""
    if len(command) < MOST_HEREDOCS:
        return False
    return (
        command.count("|") > MOST_PIPES
        or command.count("<<") > MOST_HEREDOCS
        or command.count(">") > MOST_REDIRECTS
        or command.count(")") - command.count("(") > MOST_PIPES
    )


def shortened(command: str) -> str:
    """As much of a command as is read."""
    return command if len(command) <= MOST_READ else command[:MOST_READ]


def _too_deep(command: str) -> bool:
    """Whether brackets are nested deeper than any command a person can read."""
    if command.count("(") + command.count("{") + command.count("[[") <= MOST_DEPTH:
        return False
    depth = 0
    for sign in command[:MOST_READ]:
        if sign in "({":
            depth += 1
            if depth > MOST_DEPTH:
                return True
        elif sign in ")}" and depth:
            depth -= 1
    return False


def _hides(command: str) -> bool:
    if not command.isprintable() and any(sign in command for sign in _CONTROLS if sign != "\x00"):
        return True
    if command.isascii():
        return "\x00" in command
    if not _HIDDEN.isdisjoint(command) or any(each >= "\U000e0000" for each in command):
        return True
    return any(joiner in command and _joins_ascii(command, joiner) for joiner in _JOINERS)


def _joins_ascii(command: str, joiner: str) -> bool:
    at = command.find(joiner)
    while at >= 0:
        before, after = command[max(0, at - 1) : at], command[at + 1 : at + 2]
        if not before or not after or before.isascii() or after.isascii():
            return True
        at = command.find(joiner, at + 1)
    return False
