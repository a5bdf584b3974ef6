"""Whether an error says that a disk is full, or the user's quota of it is used up."""

import errno

_NUMBERS = (errno.ENOSPC, errno.EDQUOT)


def is_full_disk(error: BaseException) -> bool:
    """Return whether the operating system refused to write because there is no room."""
    return getattr(error, "errno", None) in _NUMBERS
