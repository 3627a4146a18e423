"""Talking with an agent: one session, one run for every line."""

from functools import partial

from paige.agent import queries
from paige.agent.trace_tree import render_tree
from paige.agent.traces import read_traces
from paige.base.errors import PaigeError
from paige.cli.agent_runs import Conversation, Interrupted, Unanswered, call
from paige.cli.run_results import ASKS, DONE, give_result

PROMPT = "› "  # noqa: RUF001 - a prompt of its own, beside the `>` of questions
HELP = """\
Write what the agent should do. These are for Paige:
  /help      this list
  /sessions  recent sessions of this plugin
  /trace     what the last run did
  /exit      leave; `paige plan resume` goes on with the session"""


def talk(conversation: Conversation) -> int:
    """Read lines until the end of the input; the exit code is that of the last run."""
    console = conversation.console
    if console.interactive:
        console.say(f"{conversation.found.full_name}: write, or `/help`. Ctrl+D ends.")
    code = DONE
    while True:
        try:
            line = console.read(PROMPT).strip()
        except EOFError:
            break
        except KeyboardInterrupt:
            console.say()
            continue
        if line in ("/exit", "/quit"):
            break
        if line.startswith("/"):
            _own_command(conversation, line)
        elif line:
            code = _say(conversation, line)
            if code == ASKS and not console.interactive:
                return code
    if conversation.session is not None:
        console.say(f"Session {conversation.session}")
    return code


def _say(conversation: Conversation, line: str) -> int:
    console = conversation.console
    try:
        return give_result(conversation.say(line), console, as_json=False)
    except (Interrupted, Unanswered):
        raise
    except PaigeError as error:
        if not console.interactive:
            raise
        console.say(f"{error.message}. {error.hint or ''}".rstrip())
        return error.exit_code


def _own_command(conversation: Conversation, line: str) -> None:
    console, app = conversation.console, conversation.app
    match line:
        case "/help":
            console.say(HELP)
        case "/sessions":
            recent = partial(queries.recent_sessions, plugin=conversation.found.plugin.name)
            for row in call(conversation.portal, lambda: app.database.read(recent, app.actor)):
                console.say(f"{row.id}  {row.updated_at:%Y-%m-%d %H:%M}  {row.title or ''}")
        case "/trace":
            _show_trace(conversation)
        case _:
            console.say(f"There is no `{line}`. `/help` lists what there is.")


def _show_trace(conversation: Conversation) -> None:
    if conversation.run is None:
        conversation.console.say("Nothing has run yet.")
        return
    database, actor = conversation.app.database, conversation.app.actor
    read = partial(read_traces, identity=conversation.run)
    for trace in call(conversation.portal, lambda: database.read(read, actor)):
        conversation.console.say("\n".join(render_tree(trace)))
