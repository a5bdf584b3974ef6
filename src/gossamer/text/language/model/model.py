"""A model: languages, the scripts they are written in, and the table of what words and n-grams say of them."""

import mmap
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.text.language.model.feature_table import Parts, parts_of
from gossamer.text.language.model.plain_scorer import Weights
from gossamer.text.language.model.scripts import NUMBER

try:
    from gossamer.text.language.model.scorer import Scorer
except ImportError:
    from gossamer.text.language.model.plain_scorer import Scorer  # type: ignore[assignment]

SHIPPED = Path(__file__).with_name("model.bin")
_MAGIC = b"gossamer language model 2\n"
_ALIGNED = 8  # parts begin where processors like to read


class Language(msgspec.Struct, frozen=True):
    """A language that a model knows."""

    code: str
    """BCP 47."""
    scripts: tuple[str, ...]
    """ISO 15924 codes of the scripts it is written in."""
    handicap: int = 0
    """Tenths of a nat that it has to make up: languages that few texts are in must be the more convincing."""
    named_only: bool = False
    """Whether it comes into question only where it is named: too little is known of it, and that draws texts of others."""


class _Header(msgspec.Struct, frozen=True):
    languages: tuple[Language, ...]
    weights: Weights
    sizes: tuple[int, int]


class Model:
    """What the recogniser knows. Models are never changed: training makes a new one."""

    def __init__(self, known: tuple[Language, ...], weights: Weights, parts: Parts) -> None:
        self.known = known
        self.weights = weights
        self.parts = parts
        self._languages = tuple(dict.fromkeys(language.code for language in known))
        # The last choice: whoever restricts candidates asks for the same ones again and again.
        self._choices: dict[tuple[str, ...], bytes] = {}
        named_only = any(language.named_only for language in known)
        self._usual = bytes(not language.named_only for language in known) if named_only else None
        scripts_of = [sum(1 << NUMBER[script] for script in language.scripts) for language in known]
        self.scorer = Scorer(parts, weights, scripts_of, [language.handicap for language in known])

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of all languages it knows."""
        return self._languages

    @property
    def usual(self) -> tuple[str, ...]:
        """The codes of those that come into question where none are named."""
        return tuple(dict.fromkeys(language.code for language in self.known if not language.named_only))

    def candidates(self, languages: Iterable[str] | None) -> bytes | None:
        """Return which of the known languages come into question: those that are named, else the usual ones; None for all."""
        return self._usual if languages is None else self.only(languages)

    def only(self, languages: Iterable[str]) -> bytes:
        """Return which of the known languages are among these, with or without region; an unknown one is bad input."""
        asked = tuple(languages)
        choice = self._choices.get(asked)
        if choice is None:
            wanted = {self._checked(code) for code in asked}
            choice = bytes(language.code in wanted for language in self.known)
            self._choices = {asked: choice}
        return choice

    def _checked(self, code: str) -> str:
        plain = code.replace("_", "-").split("-")[0].lower()
        if plain in self.languages:
            return plain
        from difflib import get_close_matches  # late: nothing but a slip needs it

        same_letter = [known for known in self.languages if known[0] == plain[:1]]
        near = get_close_matches(plain, same_letter, n=5, cutoff=0.0) or self.languages
        raise BadInput(f"The language {code!r} is not one that the model knows; near ones: {', '.join(near)}")

    @classmethod
    def from_lists(cls, lists: Mapping[str, Mapping[str, float]]) -> "Model":
        """Make a model of word lists: for each language its words and how often each is used, in any unit."""
        from gossamer.text.language.model.build_model import built  # numpy is needed for building only

        return built(lists)

    @classmethod
    def load(cls, path: Path | None = None) -> "Model":
        """Open a model in a file; without one, give the shipped model, which is opened once.

        The file is mapped into memory: what is looked up is read when it is, and processes share it.
        """
        return _shipped() if path is None else _read(path)

    def save(self, path: Path) -> None:
        """Write the model into a file, whole or not at all; whoever has the one before mapped keeps it."""
        sizes = self.parts.starts.nbytes, self.parts.records.nbytes
        header = msgspec.json.encode(_Header(self.known, self.weights, sizes))
        header += b" " * (-(len(_MAGIC) + 4 + len(header)) % _ALIGNED)
        with write_atomically(path) as new, new.open("wb") as file:
            file.write(_MAGIC + len(header).to_bytes(4, "little") + header)
            file.write(self.parts.starts)
            file.write(self.parts.records)


@cache
def _shipped() -> Model:
    return _read(SHIPPED)


def _read(path: Path) -> Model:
    try:
        header, parts = _decoded(_mapped(path))
        return Model(header.languages, header.weights, parts)
    except (ValueError, KeyError, msgspec.MsgspecError):
        raise BadInput(f"{path} is a damaged language model: fetch or make it again") from None


def _mapped(path: Path) -> memoryview:
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise BadInput(f"{path} is not a language model; make one with  gossamer language train")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _decoded(content: memoryview) -> tuple[_Header, Parts]:
    start = len(_MAGIC) + 4
    end = start + int.from_bytes(content[len(_MAGIC) : start], "little")
    header = msgspec.json.decode(content[start:end], type=_Header)
    middle = end + header.sizes[0]
    if len(content) != middle + header.sizes[1]:
        raise ValueError("cut short")
    return header, parts_of(content[end:middle], content[middle:])
