"""Where samples and judgements are kept: notes in the store, each judgement written the moment it is made."""

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from gossamer.assess.records import Judgement, Sample, Verdict
from gossamer.errors import BadInput
from gossamer.store.batch import Batch, Store

ROOM = "assess"
_AT_ONCE = 1000
# Samples stand behind judgements: "judgement/…" sorts before "sample/…".
_SAMPLE = "sample/"
_NAME = re.compile(r"\w[\w.-]{0,63}")

_read_sample = msgspec.json.Decoder(Sample)
_read_judgement = msgspec.json.Decoder(Judgement)


def check_name(option: str, name: str) -> str:
    """Return the name of a sample or a judge, or say that it cannot be one."""
    if _NAME.fullmatch(name) is None:
        raise BadInput(
            f"{option} {name!r}: a name has up to 64 letters, digits, dots and dashes, and begins with a letter or a digit"
        )
    return name


# Samples


def keep_sample(store: Store, sample: Sample) -> None:
    """Write a new sample."""
    store.commit(Batch(notes={(ROOM, f"{_SAMPLE}{sample.name}"): msgspec.json.encode(sample)}))


def forget_sample(store: Store, name: str) -> int:
    """Forget a sample and what was said of its pages, all in one moment; return how many judgements that were."""
    sample = sample_called(store, name)
    said = judgements(store, sample.name)
    notes: dict[tuple[str, str], bytes | None] = {
        (ROOM, _place(name, one.judge, one.page)): None for one in said
    }
    store.commit(Batch(notes={**notes, (ROOM, f"{_SAMPLE}{name}"): None}))
    return len(said)


def samples(store: Store) -> list[Sample]:
    """Return all samples, by name."""
    return [_read_sample.decode(told) for _, told in _notes(store, _SAMPLE)]


def find_sample(store: Store, name: str) -> Sample | None:
    """Return the sample with this name; None if there is none."""
    told = store.note(ROOM, f"{_SAMPLE}{name}")
    return _read_sample.decode(told) if told is not None else None


def sample_called(store: Store, name: str) -> Sample:
    """Return the sample with this name, or say which there are."""
    found = find_sample(store, name)
    if found is not None:
        return found
    names = [sample.name for sample in samples(store)]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names)}"
    if not names:
        hint = "`gossamer assess --sample 100` draws one"
    raise BadInput(f"this web has no sample {name!r}; {hint}")


# Judgements


def keep_judgements(store: Store, sample: str, judgements: list[Judgement]) -> None:
    """Write judgements, at once; what a judge said before of the same page is replaced."""
    notes: dict[tuple[str, str], bytes | None] = {
        (ROOM, _place(sample, one.judge, one.page)): msgspec.json.encode(one) for one in judgements
    }
    store.commit(Batch(notes=notes))


def forget_judgement(store: Store, sample: str, judgement: Judgement) -> None:
    """Take a judgement back."""
    store.commit(Batch(notes={(ROOM, _place(sample, judgement.judge, judgement.page)): None}))


def judgements(store: Store, sample: str, judge: str = "") -> list[Judgement]:
    """Return what was said of the pages of a sample, by one judge or by all: judge by judge, in order of judging."""
    begins = f"judgement/{sample}/{judge}/" if judge else f"judgement/{sample}/"
    found = [_read_judgement.decode(told) for _, told in _notes(store, begins)]
    return sorted(found, key=lambda one: (one.judge, one.number))


def judged_pages(store: Store, sample_name: str) -> list[tuple[int, Verdict]]:
    """Return the pages of a sample that were judged, with what most judges said; of a tie, `unsure`.

    Pages come in the order of the sample. This is how others, such as the training of topics, read assessments.
    """
    sample = sample_called(store, sample_name)
    said = verdicts(judgements(store, sample_name))
    return [(item.page, said[item.page]) for item in sample.items if item.page in said]


def verdicts(judgements: list[Judgement]) -> dict[int, Verdict]:
    """Return for each page what most judges said of it; whoever is unsure has no vote unless all are."""
    votes: dict[int, Counter[Verdict]] = defaultdict(Counter)
    for one in judgements:
        votes[one.page][one.verdict] += 1
    return {page: _majority(counts) for page, counts in votes.items()}


def _majority(counts: "Counter[Verdict]") -> Verdict:
    relevant, against = counts["relevant"], counts["not"]
    if relevant == against:
        return "unsure"
    return "relevant" if relevant > against else "not"


# How it is done


def _place(sample: str, judge: str, page: int) -> str:
    return f"judgement/{sample}/{judge}/{page & (1 << 64) - 1:016x}"


def _notes(store: Store, begins: str) -> Iterator[tuple[str, bytes]]:
    """Read the notes whose names begin so, in order of name."""
    after = begins
    while found := store.notes(ROOM, after, _AT_ONCE):
        for name, told in found:
            if not name.startswith(begins):
                return
            yield name, told
        after = found[-1][0]
