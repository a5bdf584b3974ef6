"""Sparse rows, the space of terms, and groups of vectors give what plain linear algebra gives."""

import numpy as np

from gossamer.context.themes.group_vectors import assign, find_middles, sum_by_group
from gossamer.context.themes.sparse_rows import SparseRows, join_rows, normalise
from gossamer.context.themes.term_space import learn_space


def make_rows() -> tuple[SparseRows, np.ndarray]:
    dice = np.random.default_rng(5)
    dense = dice.random((40, 30)) * (dice.random((40, 30)) < 0.2)
    dense[7] = 0
    rows = [(np.flatnonzero(row).tolist(), row[row > 0].tolist()) for row in dense]
    return join_rows(rows, 30), dense.astype(np.float32)


def test_products_of_sparse_rows() -> None:
    rows, dense = make_rows()
    other = np.random.default_rng(6).random((30, 5)).astype(np.float32)
    assert np.allclose(rows.multiply(other), dense @ other, atol=1e-5)
    assert np.allclose(rows.turn().multiply(dense), dense.T @ dense, atol=1e-4)
    lengths = np.linalg.norm(rows.scale_to_length_1().multiply(np.eye(30, dtype=np.float32)), axis=1)
    assert np.allclose(np.delete(lengths, 7), 1, atol=1e-5)
    assert lengths[7] == 0


def test_no_rows() -> None:
    assert join_rows([], 3).multiply(np.ones((3, 2), np.float32)).shape == (0, 2)
    assert join_rows([([], [])], 0).turn().height == 0


def test_a_space_keeps_the_strongest_dimensions() -> None:
    words = [f"w{number}" for number in range(200)]
    dice = np.random.default_rng(1)
    pages = [dict.fromkeys(dice.choice(words, 40).tolist(), 2) for _ in range(150)]
    space, rows = learn_space(pages)
    dense = rows.multiply(np.eye(rows.width, dtype=np.float32))
    strongest = np.linalg.svd(dense)[1][: space.places.shape[1]]
    kept = np.linalg.norm(dense @ space.places) / np.linalg.norm(strongest)
    assert 0.97 < kept <= 1.0001
    assert np.allclose(space.places.T @ space.places, np.eye(space.places.shape[1]), atol=1e-3)
    assert np.allclose(space.place(pages), normalise(rows.multiply(space.places)), atol=1e-5)
    assert not space.place([{"unknown": 3}]).any()


def test_groups_of_vectors() -> None:
    dice = np.random.default_rng(2)
    centres = normalise(dice.normal(size=(5, 16)).astype(np.float32))
    truth = dice.integers(5, size=400)
    vectors = normalise((centres[truth] + 0.1 * dice.normal(size=(400, 16))).astype(np.float32))
    middles = find_middles(vectors, 5)
    groups, likeness = assign(vectors, middles)
    assert len({(one, two) for one, two in zip(truth, groups, strict=True)}) == 5
    assert likeness.min() > 0.8
    assert np.array_equal(middles, find_middles(vectors, 5))
    sums = sum_by_group(vectors, groups, 5)
    assert np.allclose(sums[0], vectors[groups == 0].sum(axis=0), atol=1e-3)


def test_a_group_of_one_page_is_dissolved() -> None:
    vectors = np.zeros((101, 8), np.float32)
    vectors[:50, 0], vectors[50:100, 1], vectors[100, 2] = 1, 1, 1
    assert len(find_middles(vectors, 3)) == 2
    assert assign(np.zeros((1, 8), np.float32), vectors[:2])[0].tolist() == [-1]
