"""Samples and judgements in the store: each is a note, and a judgement is written the moment it is made."""

import difflib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from gossamer.assess.records import Judgement, Sample, Verdict
from gossamer.errors import BadInput, make_damage_error
from gossamer.store.batch import Batch, Store

ROOM = "assess"
_NOTES_AT_ONCE = 1000
# Notes are read in order of name: "judgement/…" sorts before "sample/…".
_SAMPLE = "sample/"
_NAME = re.compile(r"\w[\w.-]{0,63}")

Kept = TypeVar("Kept", Sample, Judgement)

_sample_decoder = msgspec.json.Decoder(Sample)
_LONGEST_QUESTION = 200
_NOT_TEXT = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_judgement_decoder = msgspec.json.Decoder(Judgement)


def check_name(option: str, name: str) -> str:
    """Return the name of a sample or a judge; raise BadInput if it is not valid."""
    if _NAME.fullmatch(name) is None:
        raise BadInput(
            f"{option} {name!r}: a name has up to 64 letters, digits, dots and dashes, and begins with a letter or a digit"
        )
    return name


def check_question(text: str) -> str:
    """Return a question for the judges without spaces around it; raise BadInput if it is too long, or not plain text."""
    question = text.strip()
    if len(question) > _LONGEST_QUESTION:
        raise BadInput(f"--question: a question has at most {_LONGEST_QUESTION} characters; shorten it")
    if any(unicodedata.category(one) in _NOT_TEXT for one in question):
        raise BadInput(
            "--question: a question has no line breaks or control characters; write it as plain text"
        )
    return question


def get_question(sample: Sample) -> str:
    """Return what the judges of a sample are asked: its own question, or one about its topic."""
    return sample.question or (
        f"Is this page about {sample.topic}?" if sample.topic else "Is this page relevant?"
    )


# Samples


def save_sample(store: Store, sample: Sample) -> None:
    """Write a new sample."""
    store.commit(Batch(notes={(ROOM, f"{_SAMPLE}{sample.name}"): msgspec.json.encode(sample)}))


def delete_sample(store: Store, name: str) -> int:
    """Delete a sample and its judgements in one transaction; return the number of judgements."""
    sample = get_sample(store, name)
    known = read_judgements(store, sample.name)
    notes: dict[tuple[str, str], bytes | None] = {
        (ROOM, _judgement_name(name, one.judge, one.page)): None for one in known
    }
    store.commit(Batch(notes={**notes, (ROOM, f"{_SAMPLE}{name}"): None}))
    return len(known)


def list_samples(store: Store) -> list[Sample]:
    """Return all samples, by name."""
    return [_decode(_sample_decoder, encoded) for _, encoded in _read_notes(store, _SAMPLE)]


def find_sample(store: Store, name: str) -> Sample | None:
    """Return the sample of this name; None if there is none."""
    encoded = store.note(ROOM, f"{_SAMPLE}{name}")
    return _decode(_sample_decoder, encoded) if encoded is not None else None


def get_sample(store: Store, name: str) -> Sample:
    """Return the sample of this name; raise BadInput with the names there are if there is none."""
    found = find_sample(store, name)
    if found is not None:
        return found
    names = [sample.name for sample in list_samples(store)]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names)}"
    if not names:
        hint = "`gossamer assess --sample 100` draws one"
    raise BadInput(f"this web has no sample {name!r}; {hint}")


# Judgements


def save_judgements(store: Store, sample: str, judgements: list[Judgement]) -> None:
    """Write judgements at once; they replace earlier ones of the same judge on the same page."""
    notes: dict[tuple[str, str], bytes | None] = {
        (ROOM, _judgement_name(sample, one.judge, one.page)): msgspec.json.encode(one) for one in judgements
    }
    store.commit(Batch(notes=notes))


def delete_judgement(store: Store, sample: str, judgement: Judgement) -> None:
    """Delete a judgement."""
    store.commit(Batch(notes={(ROOM, _judgement_name(sample, judgement.judge, judgement.page)): None}))


def read_judgements(store: Store, sample: str, judge: str = "") -> list[Judgement]:
    """Return the judgements of a sample, of one judge or of all: by judge, in the order in which they were made."""
    prefix = f"judgement/{sample}/{judge}/" if judge else f"judgement/{sample}/"
    found = [_decode(_judgement_decoder, encoded) for _, encoded in _read_notes(store, prefix)]
    return sorted(found, key=lambda one: (one.judge, one.number))


def read_judged_pages(store: Store, sample_name: str) -> list[tuple[int, Verdict]]:
    """Return the judged pages of a sample with the verdict of most judges, `unsure` for a tie.

    Pages are in the order of the sample. Other rooms, such as the training of topics, read assessments with this.
    """
    sample = get_sample(store, sample_name)
    said = decide_verdicts(read_judgements(store, sample_name))
    return [(item.page, said[item.page]) for item in sample.items if item.page in said]


def decide_verdicts(judgements: list[Judgement]) -> dict[int, Verdict]:
    """Return the verdict of most judges on each page; `unsure` is no vote, unless all judges are unsure."""
    votes: dict[int, Counter[Verdict]] = defaultdict(Counter)
    for one in judgements:
        votes[one.page][one.verdict] += 1
    return {page: _decide_majority(counts) for page, counts in votes.items()}


def _decide_majority(counts: "Counter[Verdict]") -> Verdict:
    relevant, against = counts["relevant"], counts["not"]
    if relevant == against:
        return "unsure"
    return "relevant" if relevant > against else "not"


# Notes


def _decode(decoder: "msgspec.json.Decoder[Kept]", encoded: bytes) -> Kept:
    try:
        return decoder.decode(encoded)
    except msgspec.MsgspecError:
        raise make_damage_error("a sample or a judgement") from None


def _judgement_name(sample: str, judge: str, page: int) -> str:
    return f"judgement/{sample}/{judge}/{page & (1 << 64) - 1:016x}"


def _read_notes(store: Store, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Yield the notes whose names begin with a prefix, in order of name."""
    after = prefix
    while found := store.notes(ROOM, after, _NOTES_AT_ONCE):
        for name, encoded in found:
            if not name.startswith(prefix):
                return
            yield name, encoded
        after = found[-1][0]
