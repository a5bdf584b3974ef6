"""Write a task as a TOML file, or as the options of a command line: only what differs from the defaults."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.option_errors import FIELDS

_SEEDS = "seeds"


def to_flag(name: str) -> str:
    """Return the command-line option for a field: `delay_s` becomes `--delay`."""
    return "--" + name.removesuffix("_s").replace("_", "-")


def read_option(spec: TaskSpec, option: config.Option) -> Any:
    """Return the value of an option in a task."""
    return getattr(getattr(spec, option.section) if option.section else spec, option.name)


def list_options(spec: TaskSpec, before: TaskSpec | None = None) -> dict[str, Any]:
    """Return the options of a task that differ from those of another, by default from the usual ones, by their flat names."""
    other = TaskSpec() if before is None else before
    found = {}
    for option in config.options():
        value = read_option(spec, option)
        if value != read_option(other, option):
            found[option.name] = value
    return found


def write_toml(spec: TaskSpec) -> str:
    """Return the task file of a task; `config.from_toml` reads the same task from it."""
    changed = list_options(spec)
    lines: list[str] = []
    for section in ("", *config.SECTIONS):
        names = [one.name for one in config.options() if one.section == section and one.name in changed]
        if section and names:
            lines += ["", f"[{section}]"]
        lines += [f"{name} = {_to_toml(changed[name])}" for name in names]
    for rule in spec.fields:
        lines += ["", f"[[{FIELDS}]]"]
        lines += [f"{name} = {_to_toml(value)}" for name, value in _list_keys(rule)]
    return "\n".join(lines).lstrip("\n") + "\n"


def make_arguments(options: Mapping[str, Any]) -> list[str]:
    """Return the arguments of a command line that set these options; start pages come first."""
    made = [str(url) for url in options.get(_SEEDS, ())]
    for name, value in options.items():
        if name == _SEEDS:
            continue
        flag = to_flag(name)
        if isinstance(value, bool):
            made.append(flag if value else f"--no-{flag[2:]}")
        elif isinstance(value, list | tuple):
            for one in value or ("",):  # an empty value clears a list
                made += make_pair(flag, str(one))
        else:
            made += make_pair(flag, str(value).removesuffix(".0") if isinstance(value, float) else str(value))
    return made


def make_pair(flag: str, value: str) -> list[str]:
    """Return the arguments that give an option a value; one that begins with a dash would be read as an option."""
    return [f"{flag}={value}"] if value.startswith("-") else [flag, value]


def _list_keys(record: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a record that differ from their defaults."""
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        if field.required or value != field.default:
            yield field.name, value


def _to_toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_to_toml, value))}]"
    if isinstance(value, str):
        # Strings of JSON are strings of TOML, except for one character that only TOML wants to be escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
