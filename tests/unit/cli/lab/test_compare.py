"""`gossamer lab compare` runs orders over a small world, and wrong options are errors."""

import json
from pathlib import Path

import pytest

from gossamer.cli.lab.compare import compare
from gossamer.cli.lab.compare_worlds import RecordingOptions, make_recording_ground, parse_world, read_labels
from gossamer.errors import BadInput


def labels(folder: Path, text: str) -> Path:
    path = folder / "labels.tsv"
    path.write_bytes(text.encode())
    return path


def test_labels_are_read_by_column(tmp_path: Path) -> None:
    rows = read_labels(labels(tmp_path, "url\tclass\tpart\nhttp://A.org\tcourse\tone\nno line\nx:y\tz\tw\n"))
    assert [(row.url, row.label, row.fields["part"]) for row in rows] == [("http://a.org/", "course", "one")]


def test_wrong_options_are_errors(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no labels"):
        read_labels(labels(tmp_path, "nothing"))
    with pytest.raises(BadInput, match="is not an option of a world"):
        parse_world("pagse=3", 0)
    with pytest.raises(BadInput, match="is not a number"):
        parse_world("pages=many", 0)
    with pytest.raises(BadInput, match="--labels"):
        compare(replay=tmp_path / "a.warc.gz")
    with pytest.raises(BadInput, match="not both"):
        compare(replay=tmp_path / "a.warc.gz", world="pages=3")
    with pytest.raises(BadInput, match="there is no topic 'nothing': use one of"):
        compare(world="pages=300", topic="nothing")
    with pytest.raises(BadInput, match=r"must end with \.svg or \.png"):
        compare(world="pages=300", plot=tmp_path / "orders.txt")
    options = RecordingOptions(
        tmp_path / "a.warc.gz", labels(tmp_path, "url\tclass\nhttp://a.org/\tb\n"), "c", ""
    )
    with pytest.raises(BadInput, match="no page of the class 'c'"):
        make_recording_ground(options, object())  # type: ignore[arg-type]  # not used


@pytest.mark.slow
def test_orders_are_compared_over_a_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "orders.png"
    world = "pages=600,hosts=12,topic_locality=0.5,languages=en"
    compare(world=world, orders="breadth,topic,oracle", pages=60, seeds=2, plot=plot, json=True)
    found = {one["order"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    # The oracle knows the targets of links but not what they link to, so another order may beat it.
    for order in ("topic", "oracle"):
        assert 1.3 * found["breadth"]["recall"]["mean"] < found[order]["recall"]["mean"]
    assert plot.read_bytes().startswith(b"\x89PNG")
