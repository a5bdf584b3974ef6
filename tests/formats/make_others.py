"""Make a small file of each other format that later versions must be able to read: python tests/formats/make_others.py

Run it once for each version of such a format, when that version is final, and keep the new file.
"""

import io
import tarfile
import tempfile
from pathlib import Path

from tests.formats.make_web import NOW_S, make

from gossamer.schedule.journal.open_journal import VERSION as JOURNAL
from gossamer.schedule.journal.open_journal import open_database
from gossamer.store.backup.snapshot import FORMAT as BACKUP
from gossamer.store.backup.take_backup import BackupOptions, take_backup
from gossamer.text.language.model.model import VERSION as LANGUAGE
from gossamer.text.language.model.model import Model

HERE = Path(__file__).parent
WORDS = {
    "en": {"the": 60, "house": 8, "water": 6, "and": 50, "with": 20},
    "de": {"das": 50, "haus": 8, "wasser": 6, "und": 55, "mit": 20},
    "la": {"in": 40, "domus": 8, "aqua": 6, "et": 55, "cum": 20},
}
RUN = "insert into run values (1, 'weekly', ?, 'done', 'rule', 1, ?, ?, 0, 0, '', 3)"


def main() -> None:
    """Write those files that are not there yet."""
    for name, write in (
        (f"language-{LANGUAGE}.bin", lambda path: Model.from_lists(WORDS).save(path)),
        (f"backup-{BACKUP}.tar.xz", write_backup),
        (f"journal-{JOURNAL}.db", write_journal),
    ):
        if not (HERE / name).exists():
            write(HERE / name)


def write_backup(path: Path) -> None:
    """Back up the small web, twice."""
    with tempfile.TemporaryDirectory() as scratch:
        web, kept = Path(scratch, "web"), Path(scratch, "kept")
        web.mkdir()
        make(web)
        take_backup(web, kept, BackupOptions())
        (web / "note").write_text("new", "ascii")
        take_backup(web, kept, BackupOptions())
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:xz") as tar:
            tar.add(kept, arcname=".")
    path.write_bytes(packed.getvalue())


def write_journal(path: Path) -> None:
    """Write the journal of a schedule with one run."""
    with tempfile.TemporaryDirectory() as scratch:
        journal = open_database(Path(scratch, "journal.db"), create=True)
        journal.execute(RUN, (NOW_S, NOW_S + 1, NOW_S + 60))
        journal.execute("pragma journal_mode = delete")
        journal.close()
        path.write_bytes(Path(scratch, "journal.db").read_bytes())


if __name__ == "__main__":
    main()
