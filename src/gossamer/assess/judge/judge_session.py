"""Judging: one page after the other, each verdict kept at once, with a way back."""

from collections import Counter
from collections.abc import Callable

from gossamer.assess.judgements import forget_judgement, judgements, keep_judgements
from gossamer.assess.records import Judgement, Sample, Verdict
from gossamer.assess.sample.draw_sample import uncertainty
from gossamer.store.batch import Store


class Session:
    """A judge before a sample. Whenever it ends, and however, what was judged is in the store."""

    def __init__(self, store: Store, sample: Sample, judge: str, clock: Callable[[], float]) -> None:
        self.sample = sample
        self.judge = judge
        self._store = store
        self._clock = clock
        self._said = {one.page: one for one in judgements(store, sample.name, judge)}
        self._left = [item.page for item in sample.items if item.page not in self._said]
        self._skipped: list[int] = []
        """What was skipped since the last verdict: a step back takes back these first."""

    @property
    def page(self) -> int | None:
        """The page to be judged now; None when all are."""
        return self._left[0] if self._left else None

    @property
    def pages(self) -> int:
        """How many the sample has."""
        return len(self.sample.items)

    @property
    def left(self) -> int:
        """How many are still to be judged."""
        return len(self._left)

    def counts(self) -> "Counter[Verdict]":
        """Count the verdicts of this judge."""
        return Counter(one.verdict for one in self._said.values())

    def first(self, page: int) -> None:
        """Take up this page next, if it is still to be judged."""
        if page in self._left:
            self._left.remove(page)
            self._left.insert(0, page)

    def take(self, page: int) -> bool:
        """Take up this page next, be it to judge it anew; say whether the sample has it."""
        if self._said.pop(page, None) is not None:
            self._left.append(page)
        self.first(page)
        return self.page == page

    def last(self, page: int) -> None:
        """Leave this page for later, if it is still to be judged."""
        if page in self._left:
            self._left.remove(page)
            self._left.append(page)

    def uncertain_first(self, relevance: Callable[[int], float | None]) -> None:
        """Put those pages first of which a model is least sure."""
        self._left.sort(key=lambda page: uncertainty(relevance(page)))

    def say(self, verdict: Verdict) -> None:
        """Judge the page at hand."""
        page = self._left[0]
        number = max((one.number for one in self._said.values()), default=0) + 1
        judgement = Judgement(self.judge, page, verdict, number, self._clock())
        keep_judgements(self._store, self.sample.name, [judgement])
        self._said[page] = judgement
        self._left.pop(0)
        self._skipped.clear()

    def skip(self) -> None:
        """Leave the page at hand for later."""
        self._skipped.append(self._left[0])
        self.last(self._left[0])

    def undo(self) -> bool:
        """Go one step back, also to what was judged in an earlier session; say whether there was one."""
        if self._skipped:
            self.first(self._skipped.pop())
            return True
        if not self._said:
            return False
        last = max(self._said.values(), key=lambda one: one.number)
        forget_judgement(self._store, self.sample.name, last)
        del self._said[last.page]
        self._left.insert(0, last.page)
        return True
