"""Which schemes a URL may have that a person asks a web about: those of plug-ins count as well."""

from gossamer.config import from_json
from gossamer.net import url as urls
from gossamer.plugins import list_plugins
from gossamer.store.batch import Store

_USUAL = ("http", "https", *urls.TYPED_RULES.schemes)


def has_other_scheme(typed: str) -> bool:
    """Say whether a typed URL has a scheme that only a plug-in can fetch."""
    scheme, mark, _ = typed.strip().partition("://")
    return bool(mark) and scheme.lower() not in _USUAL


def find_typed_rules(store: Store, typed: str) -> urls.UrlRules:
    """Return the rules for a typed URL: the schemes that the tasks of the web follow, and those of installed plug-ins.

    Plug-ins are looked up only for a URL that may need one. A web keeps its URLs when a plug-in is gone.
    """
    if not has_other_scheme(typed):
        return urls.TYPED_RULES
    followed = {scheme for note in store.tasks() for scheme in from_json(note.spec).fetching.schemes}
    return urls.UrlRules(
        schemes=(*urls.TYPED_RULES.schemes, *sorted(followed | set(list_plugins("schemes"))))
    )
