"""Which formats this version reads and writes, for `gossamer --version`."""

from collections.abc import Callable, Iterator


def list_formats() -> Iterator[str]:
    """Yield a line for each format. Cost: the search engine is loaded."""
    for what, describe in _FORMATS.items():
        yield f"{what}: {_try(describe)}"


def _try(describe: Callable[[], str]) -> str:
    from gossamer.errors import MissingExtra

    try:
        return describe()
    except MissingExtra as missing:
        return f"needs the extra {missing.extra}"


def _describe_directory() -> str:
    from gossamer.store.sqlite.schema import UPGRADES, VERSION

    return f"reads {min(UPGRADES)} to {VERSION}, writes {VERSION}"


def _describe_database() -> str:
    from gossamer.store.postgres.schema import UPGRADES, VERSION

    return f"reads {min(UPGRADES)} to {VERSION}, writes {VERSION}"


def _describe_index() -> str:
    from gossamer.search.index.search_index import FORMAT

    return f"reads and writes {FORMAT}, builds others anew"


def _describe_models() -> str:
    from gossamer.text.topics.model_file import VERSION

    return f"reads and writes {VERSION}"


def _describe_language_model() -> str:
    from gossamer.text.language.model.model import VERSION

    return f"reads and writes {VERSION}"


def _describe_backup() -> str:
    from gossamer.store.backup.snapshot import FORMAT

    return f"reads and writes {FORMAT}"


def _describe_journal() -> str:
    from gossamer.schedule.journal.open_journal import VERSION

    return f"reads and writes {VERSION}"


_FORMATS: dict[str, Callable[[], str]] = {
    "web in a folder": _describe_directory,
    "web in PostgreSQL": _describe_database,
    "archive": lambda: "reads WARC 1.0 and 1.1, WACZ; writes WARC 1.1 with CDXJ, WACZ 1.1.1",
    "search index": _describe_index,
    "topic models": _describe_models,
    "language model": _describe_language_model,
    "back-ups": _describe_backup,
    "journals of schedules": _describe_journal,
}
