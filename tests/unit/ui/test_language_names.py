from gossamer.text.language.model.model import Model
from gossamer.ui.language_names import NAMES


def test_every_language_that_is_recognised_has_a_name() -> None:
    assert set(Model.load(None).languages) - set(NAMES) == set()
