"""A model: languages, the scripts they are written in, and the table of what words and n-grams say of them."""

import sys
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import msgspec

from gossamer.errors import BadInput
from gossamer.text.language.plain import Weights
from gossamer.text.language.scripts import NUMBER
from gossamer.text.language.tables import Parts

try:
    from gossamer.text.language.scorer import Scorer
except ImportError:
    from gossamer.text.language.plain import Scorer  # type: ignore[assignment]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SHIPPED = Path(__file__).with_name("model.bin")
_MAGIC = b"gossamer language model 1\n"
_LEVEL = 19  # packing once, unpacking often


class Language(msgspec.Struct, frozen=True):
    """A language that a model knows."""

    code: str
    """BCP 47."""
    scripts: tuple[str, ...]
    """ISO 15924 codes of the scripts it is written in."""
    handicap: int = 0
    """Tenths of a nat that it has to make up: languages that few texts are in must be the more convincing."""


class _Header(msgspec.Struct, frozen=True):
    languages: tuple[Language, ...]
    weights: Weights
    sizes: tuple[int, int, int, int]


class Model:
    """What the recogniser knows. Models are never changed: training makes a new one."""

    def __init__(self, known: tuple[Language, ...], weights: Weights, parts: Parts) -> None:
        self.known = known
        self.weights = weights
        self.parts = parts
        self._languages = tuple(dict.fromkeys(language.code for language in known))
        # The last choice: whoever restricts candidates asks for the same ones again and again.
        self._choices: dict[tuple[str, ...], bytes] = {}
        scripts_of = [sum(1 << NUMBER[script] for script in language.scripts) for language in known]
        self.scorer = Scorer(parts, weights, scripts_of, [language.handicap for language in known])

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of all languages it knows."""
        return self._languages

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
        same_letter = [known for known in self.languages if known[0] == plain[:1]]
        near = get_close_matches(plain, same_letter, n=5, cutoff=0.0) or self.languages
        raise BadInput(f"The language {code!r} is not one that the model knows; near ones: {', '.join(near)}")

    @classmethod
    def from_lists(cls, lists: Mapping[str, Mapping[str, float]]) -> "Model":
        """Make a model of word lists: for each language its words and how often each is used, in any unit."""
        from gossamer.text.language.building import built  # numpy is needed for building only

        return built(lists)

    @classmethod
    def load(cls, path: Path | None = None) -> "Model":
        """Read a model from a file; without one, give the shipped model, which is read once."""
        return _shipped() if path is None else _read(path)

    def save(self, path: Path) -> None:
        """Write the model into a file."""
        header = msgspec.json.encode(_Header(self.known, self.weights, _sizes(self.parts)))
        body = zstd.compress(b"".join(self.parts), level=_LEVEL)
        path.write_bytes(_MAGIC + len(header).to_bytes(4, "little") + header + body)


def _sizes(parts: Parts) -> tuple[int, int, int, int]:
    return len(parts[0]), len(parts[1]), len(parts[2]), len(parts[3])


@cache
def _shipped() -> Model:
    return _read(SHIPPED)


def _read(path: Path) -> Model:
    try:
        header, parts = _decoded(path)
        return Model(header.languages, header.weights, parts)
    except (EOFError, ValueError, msgspec.MsgspecError, zstd.ZstdError):
        raise BadInput(f"{path} is a damaged language model: fetch or make it again") from None


def _decoded(path: Path) -> tuple[_Header, Parts]:
    """Return what stands in a file; nothing else of it stays in memory when the model is made of that."""
    content = memoryview(path.read_bytes())
    if content[: len(_MAGIC)] != _MAGIC:
        raise BadInput(f"{path} is not a language model; make one with  gossamer language train")
    start = len(_MAGIC) + 4
    end = start + int.from_bytes(content[len(_MAGIC) : start], "little")
    header = msgspec.json.decode(content[start:end], type=_Header)
    body = memoryview(zstd.decompress(content[end:]))
    cuts = [sum(header.sizes[:at]) for at in range(5)]
    if len(body) != cuts[4]:
        raise ValueError("cut short")
    first, second, third, fourth = (bytes(body[cuts[at] : cuts[at + 1]]) for at in range(4))
    return header, Parts(first, second, third, fourth)
