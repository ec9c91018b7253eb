"""The content md5: what it is, and that extending it is the same as computing it anew."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.scan import BLOCK_ROWS, COLUMNS, ContentDigest, content_md5


def some_points(rows: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, len(COLUMNS)))


def test_a_small_content_md5_is_the_md5_of_its_count_and_its_one_block() -> None:
    points = [[0.1 * k for k in range(9)], [-float(k) for k in range(1, 10)]]
    block = hashlib.md5(b"".join(struct.pack("<9d", *row) for row in points)).digest()
    assert content_md5(np.array(points)) == hashlib.md5(b"rows=2\n" + block).hexdigest()


def test_rows_beyond_a_block_are_hashed_block_by_block() -> None:
    points = some_points(BLOCK_ROWS + 3)
    blocks = (
        hashlib.md5(points[:BLOCK_ROWS].tobytes()).digest()
        + hashlib.md5(points[BLOCK_ROWS:].tobytes()).digest()
    )
    assert content_md5(points) == hashlib.md5(b"rows=65539\n" + blocks).hexdigest()


def test_no_rows_have_a_content_md5_of_their_own() -> None:
    assert content_md5(some_points(0)) == hashlib.md5(b"rows=0\n").hexdigest()


@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.sampled_from([0, 1, 2, 1000, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS]),
        max_size=4,
    )
)
def test_extending_in_any_steps_from_a_stored_state_equals_hashing_all(steps: list[int]) -> None:
    points = some_points(sum(steps))
    digest = ContentDigest()
    done = 0
    for step in steps:
        digest = ContentDigest(digest.full_blocks, digest.tail)  # as stored and taken up again
        digest.update(points[done : done + step])
        done += step
        assert digest.rows == done
    assert digest.hexdigest() == content_md5(points)


def test_minus_zero_and_zero_are_the_same_content() -> None:
    zeros = np.zeros((2, 9))
    assert content_md5(-zeros) == content_md5(zeros)


def test_one_changed_bit_changes_the_content() -> None:
    points = some_points(10)
    changed = points.copy()
    changed[7, 3] = np.nextafter(changed[7, 3], np.inf)
    assert content_md5(changed) != content_md5(points)


def test_memory_order_does_not_matter() -> None:
    points = some_points(100)
    assert content_md5(np.asfortranarray(points)) == content_md5(points)


@pytest.mark.parametrize("shape", [(9,), (3, 8)])
def test_other_shapes_are_a_defect_of_the_caller(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        content_md5(np.zeros(shape))


def test_a_state_that_cannot_be_one_is_not_taken() -> None:
    with pytest.raises(ValueError, match="fewer than 65536 rows"):
        ContentDigest((), np.zeros((BLOCK_ROWS, 9)))
    with pytest.raises(ValueError, match="16 bytes"):
        ContentDigest((b"short",), None)
