"""Which language is this text in, and is it running text at all?

from gossamer.text.language import detect
detect("Dies ist ein deutscher Satz.").language    # "de"
"""

from gossamer.text.language.detection.detect_language import detect, detect_many
from gossamer.text.language.model.model import Model
from gossamer.text.language.verdict import Candidate, Verdict

__all__ = ["Candidate", "Model", "Verdict", "detect", "detect_many"]
