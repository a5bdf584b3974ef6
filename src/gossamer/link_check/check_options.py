"""What a check is asked to do."""

from typing import Annotated

import msgspec
from msgspec import Meta

UNKNOWN_STATUSES = frozenset((401, 403, 405, 407, 408, 423, 425, 429, 451, 999))
"""Answers that say nothing about whether the page exists: they ask for a login, forbid robots or ask to come later."""


class CheckOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How links are checked."""

    external: Annotated[bool, Meta(description="ask other hosts whether the links to them work")] = True
    requisites: Annotated[bool, Meta(description="check images, style sheets and scripts")] = True
    include: Annotated[tuple[str, ...], Meta(description="check only links that match")] = ()
    exclude: Annotated[tuple[str, ...], Meta(description="leave out links that match")] = ()
    accept: Annotated[frozenset[int], Meta(description="statuses that count as working")] = frozenset()
    age_s: Annotated[float, Meta(description="ask again for pages that may have changed since")] = 3600.0
    external_age_s: Annotated[float, Meta(description="ask other hosts again after this time")] = 86_400.0
    own: Annotated[tuple[str, ...], Meta(description="hosts of the user's own")] = ()
    skip: Annotated[frozenset[str], Meta(description="problems that are not reported")] = frozenset()
    published: Annotated[str, Meta(description="where the checked folder is on the web")] = ""
