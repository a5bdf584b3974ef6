import errno

import pytest

from gossamer.full_disk import is_full_disk


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (ValueError("a thread of the index has ended"), False),
    ],
)
def test_only_a_lack_of_room_is_a_full_disk(error: Exception, full: bool) -> None:
    assert is_full_disk(error) == full
