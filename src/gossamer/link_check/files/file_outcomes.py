"""Says what came of looking for the targets of links: files on disk, and addresses of the web that were asked for."""

from pathlib import Path

import numpy as np

from gossamer.link_check.files.ask_urls import WebAnswers
from gossamer.link_check.files.file_tree import INDEX_NAMES, FileTree
from gossamer.link_check.files.read_files import FileFacts
from gossamer.link_check.id_columns import Ids
from gossamer.link_check.target_outcomes import STATES, OutcomeColumns, TargetOutcome

_MOST_HOPS = 255


class FileOutcomes:
    """Looks for each file once."""

    def __init__(self, tree: FileTree, facts: FileFacts) -> None:
        self._tree, self._facts = tree, facts
        self._found: dict[int, TargetOutcome] = {}

    def find(self, page: int) -> TargetOutcome:
        """Return what came of looking for a target; `unasked` for an address of the web that was not asked for."""
        if page not in self._found:
            self._found[page] = self._look(page)
        return self._found[page]

    def find_all(self, pages: Ids) -> OutcomeColumns:
        """Return what came of looking for many targets."""
        found = [self.find(page) for page in pages.tolist()]
        return OutcomeColumns(
            np.array([STATES[one.state] for one in found], np.uint8),
            np.array([one.final for one in found], np.int64),
            np.array([min(one.hops, _MOST_HOPS) for one in found], np.uint8),
            np.array([one.permanent for one in found], bool),
            np.array([one.when_s for one in found], np.float64),
        )

    def take_answers(self, answers: WebAnswers) -> None:
        """Take in what servers answered."""
        self._found.update(answers.outcomes)
        for page, facts in answers.facts.items():
            self._facts.add_web_page(page, answers.urls.get(page, ""), facts)

    def leave_out(self, pages: Ids) -> None:
        """Do not look for some targets: pictures and the like, if the user wants only pages."""
        self._found.update((page, TargetOutcome("unasked", final=page)) for page in pages.tolist())

    def find_file(self, page: int) -> Path | None:
        """Return the file that a page id stands for; None for an address of the web."""
        return self._tree.path(self._facts.real_urls([page]).get(page, ""))

    def _look(self, page: int) -> TargetOutcome:
        path = self.find_file(page)
        if path is None:
            return TargetOutcome("unasked", final=page)
        found = _find_index(path)
        if found is None:
            return TargetOutcome("broken", final=page, detail="there is no such file")
        return TargetOutcome("ok", final=self._facts.number(found))


def _find_index(path: Path) -> Path | None:
    """Return a file, or what is shown of a folder: its index page if it has one; None if nothing is there."""
    try:
        if path.is_dir():
            return next((path / one for one in INDEX_NAMES if (path / one).is_file()), path)
        return path if path.exists() else None
    except (OSError, ValueError):  # a name that is too long, or that has a NUL
        return None
