from collections.abc import Sequence

from gossamer.text.language.model.feature_table import Parts
from gossamer.text.language.model.language_evidence import Judgement
from gossamer.text.language.model.plain_scorer import Weights

class Scorer:
    def __init__(
        self, parts: Parts, weights: Weights, scripts_of: Sequence[int], handicaps: Sequence[int]
    ) -> None: ...
    def judge(
        self, text: str, allowed: bytes | None = None, script: int = 0, by_letters: bool = True
    ) -> Judgement: ...
    def glance(
        self, text: str, stretches: int, characters: int, allowed: bytes | None = None
    ) -> tuple[int, Judgement]: ...
    def score(self, text: str) -> tuple[int, int, int, int, list[int], list[int]]: ...
    def letters(self, word: str) -> list[int]: ...
