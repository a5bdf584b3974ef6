"""A judging session: one page after the other, each verdict saved at once, with undo."""

from collections import Counter
from collections.abc import Callable

from gossamer.assess.judgements import delete_judgement, read_judgements, save_judgements
from gossamer.assess.records import Judgement, Sample, Verdict
from gossamer.assess.sample.draw_sample import measure_uncertainty
from gossamer.store.batch import Store


class JudgeSession:
    """One judge at work on a sample. Every verdict is in the store, however the session ends."""

    def __init__(self, store: Store, sample: Sample, judge: str, clock: Callable[[], float]) -> None:
        self.sample = sample
        self.judge = judge
        self._store = store
        self._clock = clock
        self._judged = {one.page: one for one in read_judgements(store, sample.name, judge)}
        self._left = [item.page for item in sample.items if item.page not in self._judged]
        self._skipped: list[int] = []
        """Pages skipped since the last verdict: undo goes back to these first."""

    @property
    def page(self) -> int | None:
        """The page to be judged now; None when all are judged."""
        return self._left[0] if self._left else None

    @property
    def pages(self) -> int:
        """The number of pages in the sample."""
        return len(self.sample.items)

    @property
    def left(self) -> int:
        """The number of pages still to be judged."""
        return len(self._left)

    def count_verdicts(self) -> "Counter[Verdict]":
        """Count the verdicts of this judge."""
        return Counter(one.verdict for one in self._judged.values())

    def move_to_front(self, page: int) -> None:
        """Let this page be judged next, if it is still to be judged."""
        if page in self._left:
            self._left.remove(page)
            self._left.insert(0, page)

    def select_page(self, page: int) -> bool:
        """Let this page be judged next, also if it was judged before; say whether the sample has it."""
        if self._judged.pop(page, None) is not None:
            self._left.append(page)
        self.move_to_front(page)
        return self.page == page

    def move_to_end(self, page: int) -> None:
        """Leave this page for later, if it is still to be judged."""
        if page in self._left:
            self._left.remove(page)
            self._left.append(page)

    def sort_by_uncertainty(self, relevance: Callable[[int], float | None]) -> None:
        """Sort the remaining pages, those first of which a topic is least sure."""
        self._left.sort(key=lambda page: measure_uncertainty(relevance(page)))

    def record_verdict(self, verdict: Verdict) -> None:
        """Save the verdict on the current page, and go to the next."""
        page = self._left[0]
        number = max((one.number for one in self._judged.values()), default=0) + 1
        judgement = Judgement(self.judge, page, verdict, number, self._clock())
        save_judgements(self._store, self.sample.name, [judgement])
        self._judged[page] = judgement
        self._left.pop(0)
        self._skipped.clear()

    def skip(self) -> None:
        """Leave the current page for later."""
        self._skipped.append(self._left[0])
        self.move_to_end(self._left[0])

    def undo(self) -> bool:
        """Go one step back, also into an earlier session; say whether there was one."""
        if self._skipped:
            self.move_to_front(self._skipped.pop())
            return True
        if not self._judged:
            return False
        last = max(self._judged.values(), key=lambda one: one.number)
        delete_judgement(self._store, self.sample.name, last)
        del self._judged[last.page]
        self._left.insert(0, last.page)
        return True
