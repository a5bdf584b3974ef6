"""A file of known problems: a check reports only those that are not in it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.link_check.problem import PROBLEMS, CheckResult, Problem


class KnownProblem(msgspec.Struct, frozen=True, order=True):
    """A problem as a baseline remembers it: not by its line, which moves whenever the page is edited."""

    problem: str
    target: str
    source: str


class _Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gossamer_check: int
    known: list[KnownProblem]


_VERSION = 1


def read_baseline(path: Path) -> frozenset[KnownProblem]:
    """Read a file of known problems; raise BadInput for a file that is none."""
    try:
        content = msgspec.json.decode(path.read_bytes(), type=_Baseline)
    except OSError as error:
        raise BadInput(f"the baseline {path} cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadInput(
            f"{path} is not a baseline of `gossamer check`; remove it, and the next check writes it"
        ) from None
    if content.gossamer_check != _VERSION or any(one.problem not in PROBLEMS for one in content.known):
        raise BadInput(
            f"the baseline {path} was written by another version; remove it, and the next check writes it"
        )
    return frozenset(content.known)


def write_baseline(path: Path, problems: Iterable[Problem]) -> int:
    """Write the problems of a check as known ones; return how many they are."""
    known = sorted({_to_known(one) for one in problems})
    content = msgspec.json.format(msgspec.json.encode(_Baseline(_VERSION, known)), indent=1)
    try:
        with write_atomically(path) as temporary:
            temporary.write_bytes(content + b"\n")
    except OSError as error:
        raise BadInput(f"the baseline {path} cannot be written: {error.strerror}") from None
    return len(known)


def leave_out_known(result: CheckResult, known: frozenset[KnownProblem]) -> CheckResult:
    """Return a result with only the problems that are new."""
    new = [one for one in result.problems if _to_known(one) not in known]
    return msgspec.structs.replace(result, problems=new)


def _to_known(problem: Problem) -> KnownProblem:
    return KnownProblem(problem.problem, problem.target, problem.source)
