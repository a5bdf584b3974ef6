from collections.abc import Sequence

from gossamer.text.language.model.feature_table import FeatureTable
from gossamer.text.language.model.language_evidence import LanguageEvidence
from gossamer.text.language.model.plain_scorer import ScorerWeights

class Scorer:
    def __init__(
        self, table: FeatureTable, weights: ScorerWeights, scripts_of: Sequence[int], handicaps: Sequence[int]
    ) -> None: ...
    def judge(
        self, text: str, allowed: bytes | None = None, script: int = 0, by_letters: bool = True
    ) -> LanguageEvidence: ...
    def judge_sample(
        self, text: str, stretches: int, characters: int, allowed: bytes | None = None
    ) -> tuple[int, LanguageEvidence]: ...
    def score(self, text: str) -> tuple[int, int, int, int, list[int], list[int]]: ...
    def score_letters(self, word: str) -> list[int]: ...
