"""Other ways to write a command that a shell treats the same."""

import random
import shlex
from collections.abc import Callable

Words = list[str]
WRAPPERS = (
    "env", "command", "nohup", "nice -n 5", "timeout 60", "env A=1 B=2", "A=1", "A=1 B='x y'",
    "exec", "builtin command", "time", "time -p", "!", "env -u NOTHING", "stdbuf -oL", "setsid -w",
    "nice", "env -i PATH=\"$PATH\" RECORD=\"$RECORD\"", "exec -a other",
)  # fmt: skip
FRAMES = (
    "{}", "true; {}", "true && {}", "false || {}", "( {} )", "{{ {}; }}", "if true; then {}; fi",
    "if false; then :; else {}; fi", "for i in 1; do {}; done", "while true; do {}; break; done",
    "until false; do {}; break; done", "case a in a) {};; esac", "f() {{ {}; }}; f",
    "function g {{ {}; }}; g", ":\n{}", "# note\n{}", "{} # note", "echo $( {} ) >/dev/null",
    "echo `{}` >/dev/null", "x=$( {} )", "{} | cat", ": | {}", "{} >/dev/null 2>&1", "{} &\nwait",
    "cat <( {} ) >/dev/null", "echo \"$( {} )\" >/dev/null", "[[ -n $( {} ) ]] || true",
    "cd / && {}", "trap '' USR1; {}", "set -- a; {}",
    "echo ${{unset:-$( {} )}} >/dev/null", "{} && true", "[ -d / ] && {}", "[[ -d / ]] && {}",
    "[ 1 = 1 ] && {}", "(( 1 )) && {}", "{} || true", "{} </dev/null", "declare x=$( {} )",
    "export x=$( {} )", "echo x | {{ cat >/dev/null; {}; }}", "true & {}", "{{ {}; }} 2>/dev/null",
    "for i in a b; do [ $i = a ] || {}; done", "! false && {}", "x=1 y=2; {}", "test -d / && {}",
    "local 2>/dev/null; {}", ": $(( $( {} >/dev/null; echo 1 ) ))", ": ${{x:=$( {} )}}",
    "while read -r l; do {}; done <<< one", "printf '%s' \"$( {} )\" >/dev/null",
)  # fmt: skip
SHELLS = (
    "sh -c {}", "bash -c {}", "eval {}", "echo {} | sh", "bash <<< {}",
    "printf '%s\\n' {} | bash -s",
    "bash -ec {}", "env bash -c {}", "X={}; eval \"$X\"", "bash < <(echo {})", "source <(echo {})",
    "bash -c \"$1\" 2>/dev/null; bash -c {}", "bash -o errexit -c {}", "trap {} EXIT",
    "echo {} > note.sh; bash note.sh", "echo {} | bash /dev/stdin", "bash -s <<< {}",
    "command bash -c {}", "nice bash -c {}", "X={}; bash -c \"$X\"", "set -- {}; eval \"$1\"",
    "echo {} | tee note.sh >/dev/null; sh note.sh", "printf '%s\\n' {} > note.sh; . ./note.sh",
    "f() {{ eval \"$1\"; }}; f {}", "A=({}); eval \"${{A[0]}}\"", "bash --norc -c {}",
    "env -i PATH=\"$PATH\" RECORD=\"$RECORD\" sh -c {}", "timeout 60 sh -c {}",
)  # fmt: skip


def reworded(words: Words, dice: random.Random, layers: int = 2) -> str:
    """A command with the same effect as some words."""
    before: list[str] = []
    made = [_word(word, dice, before, first=at == 0) for at, word in enumerate(words)]
    line = _joined(made, dice)
    if dice.random() < 0.4:
        line = f"{dice.choice(WRAPPERS)} {line}" if not _is_made(made[0]) else f"env {line}"
    if before:
        line = f"{'; '.join(before)}; {line}"
    for _ in range(dice.randrange(layers + 1)):
        line = _framed(line, dice) if dice.random() < 0.7 else _in_shell(line, dice)
    return line


def _framed(line: str, dice: random.Random) -> str:
    """A command inside another statement, where the words before it stay with it."""
    frame = dice.choice(FRAMES)
    if "\n" in frame or "|" in frame or "&" in frame or frame.endswith("# note"):
        loose = ";" in line or "\n" in line or "#" in line or "|" in line or "&" in line
        if loose and dice.random() < 0.5 and "#" not in line:
            line = f"{{ {line}\n}}"
        elif loose:
            return line
    if "# note" in line:
        line = f"{{ {line}\n}}"
    if line.rstrip().endswith("&") or "wait" in line:
        line = f"{{ {line}\n}}"
    if "`" in frame and ("`" in line or "\\" in line or "$" in line):
        return line
    return frame.format(line)


def _in_shell(line: str, dice: random.Random) -> str:
    return dice.choice(SHELLS).format(shlex.quote(line))


def _joined(words: Words, dice: random.Random) -> str:
    made = words[0]
    for word in words[1:]:
        made += dice.choice((" ", " ", "  ", "\t", " \\\n ", " \\\n")) + word
    return made


def _is_made(word: str) -> bool:
    return "$" in word or "`" in word


def _word(word: str, dice: random.Random, before: list[str], *, first: bool) -> str:
    ways: tuple[Callable[[str], str], ...] = (
        lambda one: one,
        lambda one: f"'{one}'",
        lambda one: f'"{one}"',
        lambda one: "".join(f"\\{sign}" for sign in one),
        lambda one: f"{one[0]}'{one[1:]}'",
        lambda one: f'{one[:-1]}"{one[-1]}"',
        lambda one: f"''{one}\"\"",
        lambda one: "$'" + "".join(f"\\x{ord(sign):02x}" for sign in one) + "'",
        lambda one: "$'" + "".join(f"\\{ord(sign):03o}" for sign in one) + "'",
        lambda one: f"{one[0]}\\\n{one[1:]}",
        lambda one: f"$(echo {one})",
        lambda one: f'"$(printf %s {one})"',
        lambda one: f"`echo {one}`",
        lambda one: f"${{NOTHING-{one}}}",
        lambda one: f"${{NOTHING:-{one}}}",
        lambda one: _variable(one, dice, before),
        lambda one: f"$''{one}",
    )
    return dice.choice(ways)(word)


def _variable(word: str, dice: random.Random, before: list[str]) -> str:
    name = f"V{len(before)}"
    way = dice.randrange(5)
    if way == 0:
        before.append(f"{name}=x{word}")
        return f"${{{name}#x}}"
    if way == 1:
        before.append(f"{name}=({word})")
        return f'"${{{name}[@]}}"'
    if way == 2:
        before.append(f"{name}={word[:1]}; {name}+={shlex.quote(word[1:])}")
        return f'"${name}"'
    before.append(f"{name}='{word}'")
    return dice.choice((f"${name}", f'"${name}"', f"${{{name}}}", f"${{{name}:-x}}"))
