"""Find the commands that a page shows, and parse them as the program does."""

import html
import re
import shlex

from tests.unit.ui.app_client import Reply

from gossamer.cli.main import _load_verb


def list_commands(reply: Reply) -> list[list[str]]:
    """Return the commands that a page shows, as a shell would split them."""
    found = re.findall(r'<pre class="command"><code>(.*?)</code></pre>', reply.text, re.DOTALL)
    lines = [line for block in found for line in html.unescape(block).splitlines() if line.strip()]
    return [shlex.split(line) for line in lines]


def parse(words: list[str]) -> dict[str, object]:
    """Parse a command as the program does, and return its parameters; raise if it would refuse them."""
    program, verb, *arguments = words
    assert program == "gossamer"
    command = _load_verb(verb)
    context = command.make_context(verb, list(arguments))
    if hasattr(command, "commands"):
        name, part, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = part.make_context(name, rest, parent=context)
    return dict(context.params)
