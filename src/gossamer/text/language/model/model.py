"""A language model: its languages, their scripts, and the table of words and n-grams, mapped from a file."""

import mmap
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.text.language.model.feature_table import FeatureTable, make_table
from gossamer.text.language.model.plain_scorer import ScorerWeights
from gossamer.text.language.model.scripts import NUMBER

try:
    from gossamer.text.language.model.scorer import Scorer
except ImportError:
    from gossamer.text.language.model.plain_scorer import Scorer  # type: ignore[assignment]

SHIPPED = Path(__file__).with_name("model.bin")
VERSION = 2
"""The version of the format."""
_FAMILY = b"gossamer language model "
_MAGIC = _FAMILY + b"%d\n" % VERSION
_ALIGNED = 8  # sections begin at multiples of 8 bytes


class ModelLanguage(msgspec.Struct, frozen=True):
    """A language that a model knows."""

    code: str
    """BCP 47."""
    scripts: tuple[str, ...]
    """ISO 15924 codes of the scripts it is written in."""
    handicap: int = 0
    """A penalty in tenths of a nat for languages that few texts are in."""
    named_only: bool = False
    """Whether it is a candidate only on request: its scarce data attracts texts in other languages."""


class _Header(msgspec.Struct, frozen=True):
    languages: tuple[ModelLanguage, ...]
    weights: ScorerWeights
    sizes: tuple[int, int]


class Model:
    """The knowledge of the language recogniser. Models are immutable: training makes a new one."""

    def __init__(self, known: tuple[ModelLanguage, ...], weights: ScorerWeights, table: FeatureTable) -> None:
        self.known = known
        self.weights = weights
        self.table = table
        self._languages = tuple(dict.fromkeys(language.code for language in known))
        # The last selection: callers that restrict candidates ask for the same ones again and again.
        self._selection: dict[tuple[str, ...], bytes] = {}
        named_only = any(language.named_only for language in known)
        self._usual = bytes(not language.named_only for language in known) if named_only else None
        scripts_of = [sum(1 << NUMBER[script] for script in language.scripts) for language in known]
        self.scorer = Scorer(table, weights, scripts_of, [language.handicap for language in known])

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of all languages it knows."""
        return self._languages

    @property
    def usual(self) -> tuple[str, ...]:
        """The codes of the candidates where the caller names none."""
        return tuple(dict.fromkeys(language.code for language in self.known if not language.named_only))

    def select_candidates(self, languages: Iterable[str] | None) -> bytes | None:
        """Return a flag for each known language: the named ones, by default the usual ones; None for all."""
        return self._usual if languages is None else self.select_languages(languages)

    def select_languages(self, languages: Iterable[str]) -> bytes:
        """Return a flag for each known language: 1 if it is named, with or without region.

        An unknown code raises BadInput.
        """
        codes = tuple(languages)
        flags = self._selection.get(codes)
        if flags is None:
            wanted = {self._resolve_code(code) for code in codes}
            flags = bytes(language.code in wanted for language in self.known)
            self._selection = {codes: flags}
        return flags

    def _resolve_code(self, code: str) -> str:
        plain = code.replace("_", "-").split("-")[0].lower()
        if plain in self.languages:
            return plain
        from difflib import get_close_matches  # late: only a misspelt code needs it

        same_letter = [known for known in self.languages if known[0] == plain[:1]]
        near = get_close_matches(plain, same_letter, n=5, cutoff=0.0) or self.languages
        raise BadInput(f"The model does not know the language {code!r}; similar codes: {', '.join(near)}")

    @classmethod
    def from_lists(cls, lists: Mapping[str, Mapping[str, float]]) -> "Model":
        """Build a model from word lists: for each language its words and their frequencies, in any unit."""
        from gossamer.text.language.model.build_model import build_model  # late: only building needs numpy

        return build_model(lists)

    @classmethod
    def load(cls, path: Path | None = None) -> "Model":
        """Open a model in a file; by default the shipped model, which is opened once.

        The file is mapped into memory: pages of it are read when they are needed, and processes share them.
        """
        return _load_shipped() if path is None else _read_model(path)

    def save(self, path: Path) -> None:
        """Write the model into a file atomically; processes that have the previous file mapped keep it."""
        sizes = self.table.starts.nbytes, self.table.records.nbytes
        header = msgspec.json.encode(_Header(self.known, self.weights, sizes))
        header += b" " * (-(len(_MAGIC) + 4 + len(header)) % _ALIGNED)
        with write_atomically(path) as new, new.open("wb") as file:
            file.write(_MAGIC + len(header).to_bytes(4, "little") + header)
            file.write(self.table.starts)
            file.write(self.table.records)


@cache
def _load_shipped() -> Model:
    return _read_model(SHIPPED)


def _read_model(path: Path) -> Model:
    try:
        header, table = _decode_model(_map_file(path))
        return Model(header.languages, header.weights, table)
    except (ValueError, KeyError, msgspec.MsgspecError):
        raise BadInput(f"{path} is a damaged language model: fetch it or train it again") from None


def _map_file(path: Path) -> memoryview:
    with path.open("rb") as file:
        begin = file.read(len(_MAGIC))
        if begin != _MAGIC and begin.startswith(_FAMILY):
            raise BadInput(
                f"{path} is a language model of another version of gossamer: train it again, or use that version"
            )
        if begin != _MAGIC:
            raise BadInput(f"{path} is not a language model; make one with  gossamer language train")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _decode_model(content: memoryview) -> tuple[_Header, FeatureTable]:
    start = len(_MAGIC) + 4
    end = start + int.from_bytes(content[len(_MAGIC) : start], "little")
    header = msgspec.json.decode(content[start:end], type=_Header)
    middle = end + header.sizes[0]
    if len(content) != middle + header.sizes[1]:
        raise ValueError("cut short")
    return header, make_table(content[end:middle], content[middle:])
